import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Judged } from '../../lib/match/judge-run.js'
import {
  aRun,
  aState,
  CHROME,
  chainsOf,
  idOf,
  judged,
  learned,
  numberedAnew,
  orderOf,
  recordings,
  verdict,
  withWords,
} from '../helpers/a-run.js'

const SAVE = 'start | click Menu: menu | key Control+S: dialog | type report: named | key Enter: saved'
/** So few that a state may still be optional, and enough that it is not. */
const few = learned(...recordings(3, SAVE))
const many = learned(...recordings(11, SAVE))
const models = [
  ['3 recordings', few],
  ['11 recordings', many],
] as const

const now = '23:59'
const run = (text: string) => aRun(text, now)
const inTheDark = (text: string) => withWords(run(text), (words) => words.map((word) => `${word}.dark`))
const kinds = ({ findings }: Judged) => findings.map(({ kind }) => kind)

describe.each(models)('of a model of %s', (_, model) => {
  test('all five states are essential', () => {
    expect(chainsOf(model)).toEqual(['start menu dialog named saved'])
  })

  test('the recordings themselves pass', () => {
    for (const states of recordings(3, SAVE)) expect(verdict(model, states)).toBe('pass')
  })

  test.each([
    ['the same way', SAVE],
    [
      'a detour',
      'start | click Help: help | key Escape: start | click Menu: menu | key Control+S: dialog | type report: named | key Enter: saved',
    ],
    [
      'a screen repeated',
      'start | click Menu: menu | click Menu: menu | key Control+S: dialog | wait: dialog | wait: dialog | type report: named | key Enter: saved | wait: saved',
    ],
    [
      'an extra screen at the start',
      'splash | wait: start | click Menu: menu | key Control+S: dialog | type report: named | key Enter: saved',
    ],
    [
      'a screen that loads',
      'start | click Menu: blank | wait: menu | key Control+S: dialog | type report: named | key Enter: blank | wait: saved',
    ],
    [
      'a round trip',
      'start | click Menu: menu | key Control+S: dialog | key Escape: menu | key Control+S: dialog | type report: named | key Enter: saved',
    ],
    [
      'a slip that is corrected',
      'start | click Menu: menu | key Control+S: dialog | type rapport: dialog{6=rapport} | type report: named | key Enter: saved',
    ],
    [
      'a panel beside',
      'start | click Menu: menu&panel | key Control+S: dialog&panel | type report: named | key Enter: saved',
    ],
    [
      'a toast',
      'start | click Menu: menu+toast | key Control+S: dialog+toast | type report: named | key Enter: saved+toast',
    ],
  ])('passes: %s', (_, text) => {
    const result = judged(model, run(text))
    expect([result.verdict, result.reason]).toEqual([
      'pass',
      'Shows 5 of 5 essential states in an allowed order and ends where correct runs end',
    ])
    expect(result.findings).toEqual([])
    expect(result.missing).toEqual([])
    expect(result.coverage).toEqual({ matched: 5, total: 5, ratio: 1 })
    expect(result.terminal).toEqual({ matched: true, expected: idOf(model, 'saved') })
  })

  test.each([1, 2, 3, 4])('fails when the last %i steps are cut off, and names what is missing', (cut) => {
    const result = judged(model, run(SAVE).slice(0, -cut))
    expect(result.verdict).toBe('fail')
    expect(result.terminal.matched).toBe(false)
    expect(result.coverage).toEqual({ matched: 5 - cut, total: 5, ratio: (5 - cut) / 5 })
    expect(result.missing.map(({ state }) => state)).toEqual(
      ['menu', 'dialog', 'named', 'saved'].slice(-cut).map((screen) => idOf(model, screen)),
    )
    const last = result.findings.find(({ state }) => state === idOf(model, 'saved'))
    expect(last?.kind).toBe('missing')
    expect(last?.message).toMatch(/^State 'after press Enter' never reached after '.+'$/)
    expect(result.reason).toContain('never reached')
  })

  test('fails when it reached the end and left it', () => {
    const result = judged(model, run(`${SAVE} | click Close: goodbye`))
    expect(result.verdict).toBe('fail')
    expect(kinds(result)).toEqual(['wrong-end'])
    expect(result.findings[0]).toMatchObject({ step: 5, state: idOf(model, 'saved'), action: 'click on "Close"' })
    expect(result.findings[0]!.message).toBe("The run reached 'after press Enter' at step 4 but did not end there")
  })

  test('fails when it went back to the screen before the end', () => {
    expect(verdict(model, run(`${SAVE} | key Control+Z: named`))).toBe('fail')
  })

  test.each([
    ['left the end and came back', `${SAVE} | click Close: goodbye | click Back: saved`],
    ['began with a screen to close', `splash | click Close: ${SAVE}`],
    ['came to a state by an action of its own', SAVE.replace('click Menu', 'key F10')],
    ['slipped and went straight on', SAVE.replace('| type report', '| type rapport: elsewhere | type report')],
  ])('is open, not a fail, when it shows all states and %s', (_, text) => {
    const result = judged(model, run(text))
    expect(result.verdict).toBe('inconclusive')
    expect(result.coverage.ratio).toBe(1)
    expect(kinds(result)).toEqual(['undecided'])
    expect(result.reason).toMatch(/so something may have been left out$/)
    expect(verdict(model, run(text), { minCoverage: 0.9 })).toBe('pass')
  })

  test.each([0, 1, 2, 3, 4])('does not pass without state %i', (left) => {
    const result = judged(model, numberedAnew(run(SAVE).filter((_, step) => step !== left)))
    expect(result.verdict).not.toBe('pass')
    expect(result.coverage.matched).toBeLessThanOrEqual(4)
    expect(result.findings.length).toBeGreaterThan(0)
  })

  test.each([0, 1, 2, 3])('does not pass with states %i and the next one swapped', (first) => {
    const swapped = [...run(SAVE)]
    swapped.splice(first, 2, swapped[first + 1]!, swapped[first]!)
    expect(verdict(model, numberedAnew(swapped))).not.toBe('pass')
    const screens = run(SAVE).map((state, step) =>
      step === first ? swapped[first]! : step === first + 1 ? swapped[first + 1]! : state,
    )
    const shown = run(SAVE).map((state, step) => ({ ...screens[step]!, action: state.action, step }))
    expect(verdict(model, shown)).not.toBe('pass')
  })

  test.each([1, 2, 3, 4, 5, 6])('never passes when word %i of the end is another', (place) => {
    const steps = SAVE.replace(/saved$/, `saved{${place}=other}`)
    const result = judged(model, run(steps))
    expect(result.verdict).not.toBe('pass')
    expect(result.terminal.matched).toBe(false)
    expect(result.findings.some(({ state }) => state === idOf(model, 'saved'))).toBe(true)
    expect(verdict(model, run(steps.replace('=other', '=')))).not.toBe('pass')
  })

  test.each(['start', 'menu', 'dialog', 'named'])('does not pass when a word of %s is another', (screen) => {
    for (const place of [1, 6]) {
      for (const other of ['other', '']) {
        const steps = SAVE.replace(new RegExp(`\\b${screen}( \\||$)`), `${screen}{${place}=${other}}$1`)
        expect(steps).not.toBe(SAVE)
        expect([steps, verdict(model, run(steps))]).not.toEqual([steps, 'pass'])
      }
    }
  })

  test('a look-alike on the way does no harm when the state itself is shown too', () => {
    expect(verdict(model, run(SAVE.replace('dialog |', 'dialog{6=other} | wait: dialog |')))).toBe('pass')
  })

  test('a run in another theme is open, never a fail', () => {
    const slow = SAVE.replace('saved', 'blank | wait: blank | wait: saved')
    for (const text of [SAVE, slow, `${SAVE} | click Close: goodbye`]) {
      const result = judged(model, inTheDark(text))
      expect(result.verdict).toBe('inconclusive')
      expect(result.reason).toMatch(/^Nothing in this run is recognised/)
    }
  })

  test('so is one of fewer steps than states', () => {
    for (const text of ['start | click Menu: menu', 'other', 'other | click A: another']) {
      const result = judged(model, inTheDark(text))
      expect(result.reason).toMatch(/^Nothing in this run is recognised/)
      expect(result.verdict).toBe('inconclusive')
    }
  })

  test('a run of one foreign screen, with the known chrome, does not pass', () => {
    expect(verdict(model, run('elsewhere'))).not.toBe('pass')
    expect(
      verdict(
        model,
        withWords(run('elsewhere'), () => []),
      ),
    ).not.toBe('pass')
  })

  test('what is undecided on the way does not save a run that ended elsewhere', () => {
    expect(verdict(model, run(SAVE.replace('dialog |', 'dialog{6=other} |').replace('saved', 'goodbye')))).toBe('fail')
  })

  test('what is undecided beside the way does not hold back a run that passes', () => {
    const around =
      'start{6=other} | wait: start | click Menu: menu | wait: menu{1=other} | key Control+S: dialog | type report: named{2=other} | wait: named | key Enter: saved'
    expect(verdict(model, run(around))).toBe('pass')
  })

  test('an undecided judgement that decides is named', () => {
    const result = judged(model, run(SAVE.replace(/saved$/, 'saved{6=other}')))
    expect(result.verdict).toBe('inconclusive')
    expect(kinds(result)).toEqual(['undecided'])
    expect(result.findings[0]).toMatchObject({ step: 4, state: idOf(model, 'saved'), action: 'press Enter' })
    expect(result.findings[0]!.nearest?.judgement.answer).toBe('undecided')
    expect(result.reason).toBe(result.findings[0]!.message)
  })

  test('words that differ in every run say nothing', () => {
    const texts = [
      SAVE,
      `${SAVE} | click Close: goodbye`,
      'start | click Menu: menu',
      SAVE.replace('| type report: named ', ''),
    ]
    for (const text of texts) {
      for (const extra of [['23:58'], ['id-4711', '3rd'], ['10:00']]) {
        const other = judged(
          model,
          withWords(run(text), (words) => [...words, ...extra]),
        )
        expect([text, other.verdict]).toEqual([text, verdict(model, run(text))])
      }
    }
  })

  test('chrome words may come more often, or not at all', () => {
    expect(
      verdict(
        model,
        withWords(run(SAVE), (words) => [...words, ...CHROME]),
      ),
    ).toBe('pass')
  })

  test('findings come in the order of their steps, each one plain sentence', () => {
    const step = fc.constantFrom(
      'click Menu: menu',
      'key Control+S: dialog',
      'type report: named',
      'key Enter: saved',
      'wait: blank',
      'click Help: help',
      'key Enter: saved{6=other}',
      'key F5: menu{1=other}',
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const result = judged(model, run(['start', ...steps].join(' | ')))
        const places = result.findings.map(({ step: at }) => at ?? Number.POSITIVE_INFINITY)
        expect(places).toEqual([...places].sort((a, b) => a - b))
        for (const text of [result.reason, ...result.findings.map(({ message }) => message)]) {
          expect(text).toMatch(/^[A-Z][^\n.]*[^\n. ]$/)
          expect(text).not.toMatch(/undefined|NaN|null/)
        }
        expect(result.findings.length > 0).toBe(result.verdict !== 'pass')
        expect(result.coverage.total).toBe(5)
        expect(result.coverage.matched).toBe(result.alignment.length)
        expect(result.coverage.ratio).toBeCloseTo(result.coverage.matched / 5, 4)
        for (const { step: at } of result.alignment) expect(at).toBeLessThanOrEqual(steps.length)
        expect(result.missing.map(({ state }) => state).sort()).toEqual(
          result.findings.flatMap(({ kind, state }) => (kind === 'undecided' ? [] : [state!])).sort(),
        )
        if (result.verdict === 'pass') expect(result.terminal.matched).toBe(true)
        if (result.verdict === 'fail') expect(result.missing.length).toBeGreaterThan(0)
      }),
      { numRuns: 200 },
    )
  })

  test('any run that goes the known way with other screens between passes', () => {
    const detour = fc.constantFrom(
      '',
      'click Help: help | ',
      'key F1: palette | wait: palette | ',
      'click Tab: panel | ',
    )
    fc.assert(
      fc.property(fc.array(detour, { minLength: 4, maxLength: 4 }), (detours) => {
        // Back to where the detour began: an action is judged by the screen it is done from.
        const parts = SAVE.split(' | ')
        const text = parts
          .map((part, i) =>
            i === 0 || detours[i - 1] === ''
              ? part
              : `${detours[i - 1]}key Escape: ${parts[i - 1]!.split(': ').at(-1)} | ${part}`,
          )
          .join(' | ')
        expect([text, verdict(model, run(text))]).toEqual([text, 'pass'])
      }),
    )
  })
})

describe('what is missing on the way', () => {
  const without = (screen: string) =>
    numberedAnew(run(SAVE).filter((_, step) => SAVE.split(' | ')[step]!.split(': ').at(-1) !== screen))

  test.each(['menu', 'dialog', 'named'])('%s: open of few recordings, a fail of many', (screen) => {
    expect(verdict(few, without(screen))).toBe('inconclusive')
    const result = judged(many, without(screen))
    expect(result.verdict).toBe('fail')
    expect(kinds(result)).toEqual(['missing'])
    expect(result.findings[0]!.state).toBe(idOf(many, screen))
    expect(result.missing).toEqual([
      expect.objectContaining({ state: idOf(many, screen), after: expect.any(String), before: expect.any(String) }),
    ])
  })

  test('of few recordings it is a fail where all around is exactly what recordings show', () => {
    const known = numberedAnew(recordings(3, SAVE)[1]!.filter((_, step) => step !== 2))
    expect(verdict(few, known)).toBe('fail')
  })

  test('a state that comes too late is out of order', () => {
    const result = judged(
      many,
      run('start | key Control+S: dialog | click Menu: menu | type report: named | key Enter: saved'),
    )
    expect(result.verdict).toBe('fail')
    expect(kinds(result)).toEqual(['out-of-order'])
    expect(result.findings[0]!.message).toMatch(/^State '.+' came at step \d, not after '.+' as in the recordings$/)
  })

  test('coverage tells how much of the way was gone', () => {
    expect(judged(many, without('dialog')).coverage).toEqual({ matched: 4, total: 5, ratio: 0.8 })
    expect(judged(many, run('start | click Menu: menu')).coverage).toEqual({ matched: 2, total: 5, ratio: 0.4 })
  })

  describe('minCoverage', () => {
    // Enough of the screen is there to act from, and too little to take it for the state.
    const poor = run(SAVE.replace('dialog |', 'dialog{1=a,2=b,3=c,4=d,5=e} |'))

    test('is what a run must show; the rest may be missing', () => {
      expect(verdict(many, without('dialog'), { minCoverage: 0.8 })).toBe('pass')
      expect(verdict(many, without('dialog'), { minCoverage: 0.81 })).toBe('fail')
      expect(verdict(many, poor)).toBe('fail')
      expect(verdict(many, poor, { minCoverage: 0.8 })).toBe('pass')
      expect(verdict(many, poor, { minCoverage: 0.81 })).toBe('fail')
    })

    test('never lets the end be missing', () => {
      for (const text of [
        SAVE.replace('saved', 'goodbye'),
        `${SAVE} | click Close: goodbye`,
        'start | click Menu: menu | key Control+S: dialog | type report: named',
      ]) {
        expect(verdict(many, run(text), { minCoverage: 0.1 })).toBe('fail')
        expect(verdict(few, run(text), { minCoverage: 0.1 })).toBe('fail')
      }
      expect(verdict(many, run(SAVE.replace(/saved$/, 'saved{6=other}')), { minCoverage: 0.1 })).toBe('inconclusive')
    })

    test('0.7 of 10 states is 7 of them', () => {
      const names = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg', 'hh', 'ii']
      const way = ['start', ...names.map((name) => `click ${name}: ${name}`)].join(' | ')
      const model = learned(...recordings(11, way))
      const lacking = (...screens: string[]) =>
        run(
          way.replace(/\S+$|\S+(?= \|)/g, (screen) =>
            screens.includes(screen) ? `${screen}{1=p,2=q,3=r,4=s,5=t}` : screen,
          ),
        )
      expect(model.chains[0]!.states).toHaveLength(10)
      expect(verdict(model, lacking('bb', 'dd', 'ff'), { minCoverage: 0.7 })).toBe('pass')
      expect(verdict(model, lacking('bb', 'dd', 'ff', 'hh'), { minCoverage: 0.7 })).toBe('fail')
    })
  })
})

describe('more than one way', () => {
  const alternatives = learned(
    ...recordings(
      12,
      'start | click Menu: menu | click Open: dialog | click OK: page',
      'start | key F1: palette | type open: dialog | click OK: page',
    ),
  )
  const straight = 'start | key F1: shortcut | type open: dialog | click OK: page'

  test('each of the alternatives passes, strict or not', () => {
    for (const strict of [false, true]) {
      expect(
        verdict(alternatives, run('start | click Menu: menu | click Open: dialog | click OK: page'), { strict }),
      ).toBe('pass')
      expect(
        verdict(alternatives, run('start | key F1: palette | type open: dialog | click OK: page'), { strict }),
      ).toBe('pass')
    }
  })

  test('a third way passes, but not when one of the alternatives is asked for', () => {
    expect(verdict(alternatives, run(straight))).toBe('pass')
    const result = judged(alternatives, run(straight), { strict: true })
    expect(result.verdict).toBe('fail')
    expect(kinds(result)).toEqual(['missing'])
    expect(result.findings[0]!.message).toMatch(/^Every recording shows '.+' or '.+'; this run shows neither$/)
  })

  test('states without order between them may come in either', () => {
    const ways = [
      'start | click Colour: red | key F6: large | type done: done',
      'start | key F6: large | click Colour: red | type done: done',
    ]
    const model = learned(...recordings(12, ...ways))
    expect(orderOf(model)).toHaveLength(4)
    for (const way of ways) expect(verdict(model, run(way))).toBe('pass')
    expect(verdict(model, run('start | click Colour: red | type done: done'))).not.toBe('pass')
    expect(verdict(model, run('start | key F6: large | type done: done'))).not.toBe('pass')
    expect(verdict(model, run('start | click Colour: red | type done: done | key F6: large'))).not.toBe('pass')
  })

  test('each end is accepted, with what belongs to it', () => {
    const model = learned(
      ...recordings(
        12,
        'start | click Menu: menu | key Control+S: saved',
        'start | type print: preview | click Done: printed',
      ),
    )
    expect(chainsOf(model).sort()).toEqual(['start menu saved', 'start preview printed'])
    expect(verdict(model, run('start | click Menu: menu | key Control+S: saved'))).toBe('pass')
    expect(verdict(model, run('start | type print: preview | click Done: printed'))).toBe('pass')
    expect(verdict(model, run('start | click Menu: menu | click Done: printed'))).not.toBe('pass')
    expect(verdict(model, run('start | click Menu: menu'))).toBe('fail')
  })

  test('settings that every run opened and left again are asked for', () => {
    const way = 'main | click Settings: settings | key Escape: main | type query: search | key Enter: result'
    const model = learned(...recordings(11, way))
    expect(verdict(model, run(way))).toBe('pass')
    expect(verdict(model, run('main | type query: search | key Enter: result'))).toBe('fail')
  })
})

describe('what other recordings did', () => {
  const help = 'click Help: help | key Escape: main'
  const search = 'type query: search | key Enter: result'
  const model = learned(
    ...recordings(
      12,
      `main | click Settings: settings | key Escape: main | ${search}`,
      `main | ${help} | click Settings: settings | key Escape: main | ${search}`,
      `main | click Settings: settings | key Escape: main | ${help} | ${search}`,
    ),
  )

  test('settings that every run opened are asked for, though some opened the help too', () => {
    expect(verdict(model, run(`main | click Settings: settings | key Escape: main | ${search}`))).toBe('pass')
    expect(verdict(model, run(`main | ${help} | ${search}`))).not.toBe('pass')
  })

  test('an empty screen is no end', () => {
    const ends = ['start | click Menu: menu | click Save: saved', 'start | click Menu: menu | click Print: printed']
    const two = learned(...recordings(12, ...ends))
    for (const end of ends) expect(verdict(two, run(end))).toBe('pass')
    const empty = run(ends[0]!).map((state) => (state.step < 2 ? state : aState(2, state.action, CHROME)))
    expect(verdict(two, empty)).not.toBe('pass')
  })

  test('what stands on every screen makes no end', () => {
    const two = learned(aRun('start | key Control+S: saved', '10:01'), aRun('start | type print: printed', '10:02'))
    const empty = run('start | key Control+S: saved').map((state) =>
      state.step < 1 ? state : aState(1, state.action, CHROME),
    )
    expect(verdict(two, empty)).not.toBe('pass')
  })

  test('a run that looked at the help elsewhere than the recordings is open, not a fail', () => {
    const [menu, save, type] = [
      'start | click Menu: menu',
      'key Control+S: dialog',
      'type report: named | key Enter: saved',
    ]
    const detour = (back: string) => `click Help icon: help | key Escape: ${back}`
    const model = learned(
      ...recordings(
        3,
        `${menu} | ${detour('menu')} | ${save} | ${type}`,
        `${menu} | key F1: palette | key Escape: menu | ${save} | ${detour('dialog')} | ${type}`,
        `${menu} | ${detour('menu')} | ${save} | ${type}`,
      ),
    )
    const late = run(`${menu} | ${save} | type report: named | ${detour('named')} | key Enter: saved`)
    expect(judged(model, late).terminal.matched).toBe(true)
    expect(verdict(model, late)).toBe('inconclusive')
  })

  test('a recording passes though nine others acted from another screen', () => {
    const odd = aRun('start | click Menu: elsewhere | key Control+S: saved', '11:00')
    const model = learned(...recordings(9, 'start | click Menu: menu | key Control+S: saved'), odd)
    expect(verdict(model, odd)).toBe('pass')
  })

  test('recordings pass that did many things in any order', () => {
    const names = [...'abcdefghijklmno'].map((letter) => letter.repeat(3))
    const way = (order: readonly string[]) =>
      `start | ${order.map((name) => `click ${name} ${name} ${name}: ${name}`).join(' | ')} | key End: done`
    const orders = names.map((_, i) => [...names.slice(i), ...names.slice(0, i)])
    const ways = [...orders, [...names].reverse()].map(way)
    const model = learned(...recordings(ways.length, ...ways))
    for (const text of ways) expect(verdict(model, run(text))).toBe('pass')
  })

  test('every recording passes, whatever they have in common', () => {
    const screen = fc.constantFrom('start', 'menu', 'help', 'panel', 'blank')
    const step = fc
      .tuple(fc.constantFrom('click', 'key', 'type', 'wait'), screen)
      .map(([type, to]) => (type === 'wait' ? `wait: ${to}` : `${type} ${to}: ${to}`))
    const way = fc
      .tuple(screen, fc.array(step, { maxLength: 6 }))
      .map(([first, steps]) => [first, ...steps].join(' | '))
    fc.assert(
      fc.property(fc.array(way, { minLength: 1, maxLength: 6 }), (ways) => {
        const runs = recordings(ways.length, ...ways)
        const model = learned(...runs)
        for (const states of runs) expect(verdict(model, states)).toBe('pass')
      }),
      {
        examples: [
          [
            [
              'start | wait: panel | wait: panel | click start: start | click panel: panel | wait: start | click start: start',
              'panel',
            ],
          ],
        ],
      },
    )
  })

  test('no cut, swapped or shortened run passes, and no good one fails, whatever detours the recordings took', () => {
    const parts = SAVE.split(' | ')
    const around = ['', 'click Help icon: help | key Escape', 'key F1: palette | wait: palette | key Escape', 'wait']
    const detours = fc.array(fc.nat(around.length - 1), { minLength: parts.length, maxLength: parts.length })
    /** Before each part but the first a detour that leads back to where it began. */
    const along = (chosen: readonly string[], by: readonly number[]) =>
      chosen
        .flatMap((part, i) => {
          const detour = i === 0 ? '' : around[by[i]!]!
          return detour === '' ? [part] : [`${detour}: ${chosen[i - 1]!.split(': ').at(-1)}`, part]
        })
        .join(' | ')
    fc.assert(
      fc.property(fc.array(detours, { minLength: 2, maxLength: 5 }), detours, (ways, own) => {
        const model = learned(...recordings(ways.length, ...ways.map((by) => along(parts, by))))
        expect(verdict(model, run(along(parts, own)))).not.toBe('fail')
        expect(verdict(model, run(along(parts.slice(0, -1), own)))).not.toBe('pass')
        for (let at = 1; at < parts.length - 1; at++) {
          expect(verdict(model, run(along(parts.toSpliced(at, 1), own)))).not.toBe('pass')
          expect(verdict(model, run(along(parts.toSpliced(at, 2, parts[at + 1]!, parts[at]!), own)))).not.toBe('pass')
        }
      }),
      { numRuns: 60 },
    )
  })
})

test('what is open for want of recordings says what is missing', () => {
  const model = learned(...recordings(3, 'start | click Menu: menu | key Enter: middle | type report: named'))
  for (const text of [
    'start | click Menu: menu | key Enter: panel | wait: panel | type report: named',
    'start | click Menu: menu | type report: named',
    'start | click Menu: menu | click Menu: menu+toast | wait: named',
  ]) {
    const result = judged(model, run(text))
    expect([text, result.verdict]).toEqual([text, 'inconclusive'])
    expect(result.reason).not.toMatch(/^Shows /)
  }
})

test('a run without states cannot be judged', () => {
  expect(() => judged(few, [])).toThrow(RangeError)
})

test('a long run is judged', () => {
  const states = run(`${'start | click Help: help | key Escape: '.repeat(500)}${SAVE}`)
  expect(states).toHaveLength(1005)
  expect(verdict(few, states)).toBe('pass')
})
