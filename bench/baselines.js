// How right the product is on the recorded corpora, beside the two judges that cost nothing: the agent's own word, and a
// comparison of last screenshots. Prints Markdown for the docs. `node bench/baselines.js [--repeats 20] [--seed 1]`

import { basename, join } from 'node:path'
import pixelmatch from 'pixelmatch'
import sharp from 'sharp'
import { drawSets } from '../dist/esm/eval/draw-sets.js'
import { seededRandom } from '../dist/esm/eval/random.js'
import { check, FingerprintCache, Fingerprinter, learn, readLabels } from '../dist/esm/index.js'
import { corpora, recordedRoot } from './pictures.js'

/** Share of differing pixels up to which two last screenshots are taken for the same. */
const MOST_DIFFERENT = 0.01
const DRAWN = 3

const argument = (name, otherwise) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
const repeats = argument('--repeats', 20)
const seed = argument('--seed', 1)

const root = recordedRoot()
if (root === null) console.log('There are no recorded corpora beside the project, so there is nothing to measure.')
else {
  const results = []
  for (const corpus of await corpora()) results.push(await measure(corpus, await readLabels(join(root, corpus.name))))
  console.log(markdown(results))
}

async function measure({ name, train, test }, labels) {
  const truth = test.map((run) => labels.runs.get(`test/${basename(run.folder)}`))
  const fingerprinter = new Fingerprinter({ cache: new FingerprintCache({ memory: 10_000 }) })
  const judgeAll = async (traces) => {
    const model = await learn(traces, { fingerprinter })
    const verdicts = []
    for (const run of test) verdicts.push(await check(run, model, { fingerprinter }))
    return verdicts
  }
  const all = await judgeAll(train)
  const draws = []
  for (const set of drawSets(train.length, DRAWN, repeats, seededRandom(seed))) {
    const verdicts = await judgeAll(set.map((i) => train[i]))
    draws.push({ score: score(verdicts.map(verdictOf), truth), verdicts, set })
  }
  const lastScreens = await Promise.all(train.map(lastScreen))
  const shares = []
  for (const run of test) shares.push(smallestShare(await lastScreen(run), lastScreens))
  return {
    name,
    runs: test.map((run, i) => ({ run: basename(run.folder), truth: truth[i], result: all[i], share: shares[i] })),
    training: train.length,
    all: score(all.map(verdictOf), truth),
    claims: score(
      test.map((run) => (run.end?.claimed === 'pass' ? 'pass' : 'fail')),
      truth,
    ),
    pixels: score(
      shares.map((share) => (share <= MOST_DIFFERENT ? 'pass' : 'fail')),
      truth,
    ),
    draws,
  }
}

function verdictOf({ verdict }) {
  return verdict
}

function score(verdicts, truth) {
  const right = verdicts.filter((verdict, i) => verdict === truth[i].outcome).length
  const open = verdicts.filter((verdict) => verdict === 'inconclusive').length
  const wrongOf = (outcome) =>
    verdicts.filter((verdict, i) => truth[i].outcome === outcome && verdict !== outcome && verdict !== 'inconclusive')
      .length
  return { runs: verdicts.length, right, open, falseAlarms: wrongOf('pass'), missed: wrongOf('fail') }
}

async function lastScreen(run) {
  const { screenshot } = run.steps.at(-1).observation
  return sharp(join(run.folder, screenshot)).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
}

/** Of the pictures of the same size: the smallest share of differing pixels; 1 where there is none. */
function smallestShare(screen, others) {
  const { width, height } = screen.info
  const same = others.filter(({ info }) => info.width === width && info.height === height)
  return Math.min(1, ...same.map(({ data }) => pixelmatch(screen.data, data, null, width, height) / (width * height)))
}

function markdown(results) {
  const lines = [
    `| corpus | judge | test runs | decided | right | wrong: good run failed | wrong: bad run passed | inconclusive | accuracy |`,
    '|---|---|---|---|---|---|---|---|---|',
  ]
  for (const { name, training, all, claims, pixels, draws } of results) {
    lines.push(scoreRow(name, `trace-oracle, all ${training} recordings`, [all]))
    const drawn = draws.map((draw) => draw.score)
    lines.push(scoreRow(name, `trace-oracle, ${DRAWN} recordings (mean of ${draws.length} draws)`, drawn))
    lines.push(scoreRow(name, "the agent's own claim", [claims]))
    lines.push(scoreRow(name, `last screenshot, at most ${100 * MOST_DIFFERENT} % of pixels differ`, [pixels]))
  }
  lines.push('', 'Accuracy: right verdicts of all runs; inconclusive is not right.', '')
  lines.push('Draws with a wrong verdict:', '')
  const wrongDraws = results.flatMap(({ name, runs, draws }) =>
    draws.flatMap(({ verdicts, set }) => {
      const wrong = verdicts.flatMap(({ verdict, reason }, i) =>
        verdict === 'inconclusive' || verdict === runs[i].truth.outcome
          ? []
          : [`${runs[i].run} ${toldTruth(runs[i].truth)} is called ${verdict}: ${reason}`],
      )
      return wrong.map((told) => `- ${name}, learned from recordings ${set.map((i) => i + 1).join(', ')}: ${told}`)
    }),
  )
  lines.push(...(wrongDraws.length > 0 ? wrongDraws : ['None.']))
  for (const { name, runs, all } of results) {
    const notRight = runs.filter(({ result, truth }) => result.verdict !== truth.outcome)
    lines.push('', `### ${name}: ${all.open} inconclusive, ${all.falseAlarms + all.missed} wrong`)
    for (const { run, truth, result } of notRight) {
      lines.push('', `**${run}** ${toldTruth(truth)}: ${result.verdict}. ${result.reason}`, '')
      for (const finding of result.findings) lines.push(`- ${toldFinding(finding)}`)
    }
  }
  return lines.join('\n')
}

function scoreRow(name, judge, scores) {
  const mean = (of) => scores.reduce((sum, one) => sum + of(one), 0) / scores.length
  const count = (of) => (scores.length === 1 ? String(mean(of)) : mean(of).toFixed(1))
  const runs = scores[0].runs
  const cells = [
    name,
    judge,
    runs,
    count(({ open }) => runs - open),
    count(({ right }) => right),
    count(({ falseAlarms }) => falseAlarms),
    count(({ missed }) => missed),
    count(({ open }) => open),
    mean(({ right }) => right / runs).toFixed(2),
  ]
  return `| ${cells.join(' | ')} |`
}

function toldTruth({ outcome, bug }) {
  return `(${outcome}${bug === null ? '' : `, ${bug}`})`
}

function toldFinding({ kind, message, nearest }) {
  if (nearest === undefined) return `${kind}: ${message}`
  const { tier, answer, reason, measures, limit } = nearest.judgement
  const numbers = Object.entries(measures).map(([name, value]) => `${name} ${value}`)
  const shown = `${tier} ${answer}, ${reason}${limit === undefined ? '' : ` (${limit})`}; ${numbers.join(', ')}`
  return `${kind}: ${message} [step ${nearest.step}: ${shown}]`
}
