// What trace-oracle does, in half a minute: learns from passing runs, lets a good run pass and catches a bad one.
// `npm run demo`. Exits with 0 only when both verdicts are right, and right for the right reason.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// Which recordings, and what has to be found in the bad one.
const TASK = 'nodered-flow'
const TRAINING = 'passing'
const GOOD = 'good'
const BAD = 'bad-inject-fails'
/** A finding of this kind about a state whose label has these words in it must be among those of the bad run. */
const EXPECTED = { kinds: ['missing', 'wrong-end'], label: /inject node/i }

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const bin = join(root, 'bin/trace-oracle.js')
const traces = join(root, 'traces', TASK)
const folder = mkdtempSync(join(tmpdir(), 'trace-oracle-demo-'))
const results = join(folder, 'results.json')

try {
  if (!existsSync(join(root, 'dist'))) fail('The package is not built. Run `npm run build` first.')
  if (!existsSync(traces)) fail(`There are no recordings in ${relative('', traces)}.`)
  const model = join(folder, TASK)

  say('1. Learn what a correct run must show, from runs that passed')
  run(['learn', join(traces, TRAINING), '--name', TASK, '--model-dir', folder, '--allow-ci-write'])
  say('2. Check two new runs: in one of them the product was broken')
  run(['check', join(traces, GOOD), join(traces, BAD), '--model', model, '--reporter', `list,json=${results}`])

  const { runs } = JSON.parse(readFileSync(results, 'utf8'))
  const [good, bad] = [GOOD, BAD].map((name) => runs.find(({ run }) => run === name))
  if (good?.verdict !== 'pass') fail(`${GOOD} should pass, and the verdict is ${good?.verdict}: ${good?.reason}`)
  if (bad?.verdict !== 'fail') fail(`${BAD} should fail, and the verdict is ${bad?.verdict}: ${bad?.reason}`)
  if (!bad.findings.some(isExpected)) {
    const found = bad.findings.map(({ kind, message }) => `${kind}: ${message}`).join('; ')
    fail(`${BAD} fails, but not for the reason it should: ${found}`)
  }
  say(`Both verdicts are right: ${GOOD} passes, and ${BAD} fails because of what the product did not show.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function isExpected({ kind, message }) {
  return EXPECTED.kinds.includes(kind) && EXPECTED.label.test(message)
}

function run(args) {
  const shown = args.map((arg) => arg.replace(folder, 'oracle').replace(`${root}/`, '')).join(' ')
  console.log(`$ trace-oracle ${shown}\n`)
  const { status, error } = spawnSync(process.execPath, [bin, ...args], { stdio: 'inherit', cwd: root })
  if (error) throw error
  // 1 is a verdict; that it is the right one is looked at below.
  if (status !== 0 && status !== 1) fail(`trace-oracle ended with exit code ${status}.`)
  console.log()
}

function say(sentence) {
  console.log(`== ${sentence}\n`)
}

function fail(sentence) {
  console.error(sentence)
  rmSync(folder, { recursive: true, force: true })
  process.exit(1)
}
