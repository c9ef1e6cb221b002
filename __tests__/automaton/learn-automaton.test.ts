import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { digraph } from '../../lib/automaton/digraph.js'
import { dominators } from '../../lib/automaton/dominators.js'
import { type Automaton, learnAutomaton } from '../../lib/automaton/learn-automaton.js'
import { partialOrder } from '../../lib/automaton/precedes.js'
import { canonicalJson } from '../../lib/canonical-json.js'
import { signatureIndex, weightOf } from '../../lib/equivalence/signature.js'
import { seededRandom } from '../../lib/eval/random.js'
import type { State } from '../../lib/state/state.js'
import {
  aRun,
  aState,
  chainsOf,
  idOf,
  learned,
  orderOf,
  recordings,
  samplesOf,
  screenOf,
  screensOf,
  stateOf,
} from '../helpers/a-run.js'

describe('kinds of states', () => {
  test('what all runs show is essential', () => {
    const model = learned(...recordings(3, 'start | click Menu: menu | click Save: saved'))
    expect(chainsOf(model)).toEqual(['start menu saved'])
    expect(orderOf(model)).toEqual(['start<menu', 'menu<saved'])
    expect(model.states.map(({ kind, support }) => `${kind} ${support}`)).toEqual(Array(3).fill('essential 3'))
  })

  test('of a single run all is essential', () => {
    const model = learned(aRun('start | click Menu: menu | click More: more | click Save: saved'))
    expect(chainsOf(model)).toEqual(['start menu more saved'])
    expect(model.notes[0]).toMatch(/^One recording only/)
  })

  test('what some runs do without is optional', () => {
    const model = learned(
      ...recordings(2, 'start | click Menu: menu | click Save: saved'),
      ...recordings(3, 'start | click Menu: menu | click Help: help | key Escape: menu | click Save: saved').slice(2),
    )
    expect(chainsOf(model)).toEqual(['start menu saved'])
    expect(screensOf(model, 'optional')).toContain('help')
    expect(stateOf(model, idOf(model, 'help')).support).toBe(1)
    expect(stateOf(model, idOf(model, 'help')).reason).toBe(
      '1 of 3 recordings pass through it; the others reach the end without it',
    )
  })

  test('what is always left by waiting is transient, though all runs show it', () => {
    const model = learned(...recordings(3, 'start | click Go: loading | wait: page | click Buy: bought'))
    expect(chainsOf(model)).toEqual(['start page bought'])
    expect(screensOf(model, 'transient')).toEqual(['loading'])
    expect(stateOf(model, idOf(model, 'loading')).support).toBe(3)
  })

  test('what one run acted on is no transient state', () => {
    const model = learned(
      ...recordings(2, 'start | click Go: half | wait: page | click Buy: bought'),
      ...recordings(3, 'start | click Go: half | click Next: page | click Buy: bought').slice(2),
    )
    expect(screensOf(model, 'transient')).toEqual(['half'])
    expect(screensOf(model, 'optional')).toEqual(['half'])
    expect(chainsOf(model)).toEqual(['start page bought'])
  })

  test('two ways to the same place are alternatives', () => {
    const model = learned(
      ...recordings(
        4,
        'start | click Menu: menu | click Open: dialog | click OK: page',
        'start | key F1: palette | type open: dialog | click OK: page',
      ),
    )
    expect(chainsOf(model)).toEqual(['start dialog page'])
    expect(model.alternatives.map((set) => set.map((id) => screenOf(stateOf(model, id))).sort())).toEqual([
      ['menu', 'palette'],
    ])
  })

  test('ways that some runs do without both of are no alternatives', () => {
    const model = learned(
      ...recordings(
        3,
        'start | click Menu: menu | click Open: dialog | click OK: page',
        'start | key F1: palette | type open: dialog | click OK: page',
        'start | key Control+O: dialog | click OK: page',
      ),
    )
    expect(model.alternatives).toEqual([])
  })

  test('a screen that shows nothing of its own cannot be asked for', () => {
    const blank = aState(1, { type: 'click', target: 'Go' }, ['File', 'Edit', 'View', 'Help'])
    const runs = recordings(3, 'start | click Go: blank | click Again: page').map((run) => run.with(1, blank))
    const model = learned(...runs)
    expect(chainsOf(model)).toEqual(['start page'])
  })
})

describe('places and order', () => {
  const settings = 'main | click Settings: settings | key Escape: main | click Search: search | click First: result'

  test.each([1, 2, 3, 11])('"open settings, back, search": settings stay essential (%i recordings)', (count) => {
    const model = learned(...recordings(count, settings))
    expect(chainsOf(model)).toEqual(['main settings main search result'])
  })

  test('so they do when some runs take the way round by way of other screens', () => {
    const model = learned(
      ...recordings(3, settings),
      aRun(
        'main | click Help: help | key Escape: main | click Settings: settings | key Escape: main | click Search: search | click First: result',
      ),
      aRun(
        'main | click Settings: settings | key Escape: main | click Help: help | key Escape: main | click Search: search | click First: result',
      ),
    )
    expect(chainsOf(model)[0]).toMatch(/^main .*settings.* search result$/)
    expect(screensOf(model, 'essential')).not.toContain('help')
  })

  test('a state that all runs show is essential, whatever others looked at by a like action', () => {
    const model = learned(
      ...recordings(
        4,
        'start | click Menu: menu | key Control+S: dialog | click Help: help | key Escape: dialog | type report: named',
        'start | click Menu: menu | key Control+S: dialog | type report: named',
        'start | click Menu: menu | key F1: palette | key Escape: menu | key Control+S: dialog | type report: named',
        'start | click Menu: menu | key Control+S: dialog | type report: named',
      ),
    )
    expect(chainsOf(model)[0]!.split(' ')).toEqual(expect.arrayContaining(['start', 'menu', 'dialog', 'named']))
  })

  test('two states that come in either order are both essential, and not ordered', () => {
    const model = learned(
      ...recordings(
        4,
        'start | click Colour: red | click Size: large | click Done: done',
        'start | click Size: large | click Colour: red | click Done: done',
      ),
    )
    expect(chainsOf(model)[0]!.split(' ').sort()).toEqual(['done', 'large', 'red', 'start'])
    expect(orderOf(model).sort()).toEqual(['large<done', 'red<done', 'start<large', 'start<red'])
  })

  test('one run in another order is enough', () => {
    const model = learned(
      ...recordings(3, 'start | click Colour: red | click Size: large | click Done: done'),
      aRun('start | click Size: large | click Colour: red | click Done: done'),
    )
    expect(orderOf(model)).not.toContain('red<large')
    expect(orderOf(model)).not.toContain('large<red')
    expect(chainsOf(model)[0]!.split(' ').sort()).toEqual(['done', 'large', 'red', 'start'])
  })

  test('several ends are several chains', () => {
    const model = learned(
      ...recordings(
        4,
        'start | click Menu: menu | click Save: saved',
        'start | click Menu: menu | click Print: printed',
      ),
    )
    expect(chainsOf(model).sort()).toEqual(['start menu printed', 'start menu saved'])
    expect(model.notes).toContain('Recordings end in 2 different states; each is accepted')
    expect(
      model.states
        .filter(({ terminal }) => terminal)
        .map(screenOf)
        .sort(),
    ).toEqual(['printed', 'saved'])
  })

  test('a run that looks round after the end and comes back still ends there', () => {
    const model = learned(
      ...recordings(3, 'start | click Menu: menu | click Save: saved'),
      aRun('start | click Menu: menu | click Save: saved | click About: about | key Escape: saved'),
    )
    expect(chainsOf(model)).toEqual(['start menu saved'])
    expect(screensOf(model, 'optional')).toContain('about')
  })

  test('a run that waits at the end ends there', () => {
    const model = learned(
      ...recordings(3, 'start | click Save: saved', 'start | click Save: saving | wait: saved | wait: saved'),
    )
    expect(chainsOf(model)).toEqual(['start saved'])
  })

  test('a run may begin anywhere', () => {
    const model = learned(...recordings(4, 'start | click Menu: menu | click Save: saved', 'menu | click Save: saved'))
    expect(chainsOf(model)).toEqual(['menu saved'])
  })

  test('the same name of an action and a screen is no coincidence of objects', () => {
    const model = learned(
      ...recordings(
        3,
        'constructor | click __proto__: __proto__ | key toString: hasOwnProperty | click 🗂️: 🗂️ | __proto__ 1: valueOf',
      ),
    )
    expect(chainsOf(model)).toEqual(['constructor __proto__ hasOwnProperty 🗂️ valueOf'])
  })
})

describe('the samples', () => {
  const ways = [
    'start | click Menu: menu | click Save: saving | wait: saved',
    'start | key F1: palette | type save: saved',
    'start | click Help: help | key Escape: start | click Menu: menu | click Save: saved',
    'start | click Menu: menu | key Escape: start | key F1: palette | type save: saved | click About: about',
  ]

  test('their order changes no byte of the model', () => {
    const runs = [...recordings(8, ...ways), aRun(ways[0]!), aRun(ways[0]!)]
    const json = canonicalJson(learned(...runs))
    const random = seededRandom(1)
    for (let i = 0; i < 100; i++) expect(canonicalJson(learned(...shuffled(runs, random)))).toBe(json)
  })

  test('are named in an order of their own, whatever order they came in', () => {
    const samples = samplesOf(recordings(6, ...ways))
    const names = (list: typeof samples) => learnAutomaton(list).order.map((index) => list[index]!.id)
    expect(names([...samples].reverse())).toEqual(names(samples))
    expect(learnAutomaton(samples).order.map((index) => samples[index]!.states.length)).toEqual([3, 3, 4, 4, 5, 6])
  })

  test('the same one twice gives the same states, each with one more recording', () => {
    const run = aRun(ways[2]!)
    const [once, twice] = [learnAutomaton(samplesOf([run])), learnAutomaton(samplesOf([run, run]))]
    const kinds = ({ nodes }: Automaton) => nodes.map(({ kind, members }) => `${kind} ${members[0]!.state.content}`)
    expect(kinds(twice)).toEqual(kinds(once))
    expect(twice.nodes.map(({ support }) => support)).toEqual(once.nodes.map(({ support }) => 2 * support))
  })

  test('there must be one', () => {
    expect(() => learnAutomaton([])).toThrow(RangeError)
  })

  test('pairs that are judged distinct are never joined', () => {
    const runs = recordings(2, 'start | click Menu: menu | click Save: saved')
    const { nodes } = learnAutomaton(samplesOf(runs), (a, b) => a.content !== b.content)
    for (const { members } of nodes) expect(new Set(members.map(({ state }) => state.content)).size).toBe(1)
    expect(nodes).toHaveLength(6)
  })

  test('long ones are taken', () => {
    const long = (clock: string) =>
      aRun(
        ['s0', ...Array.from({ length: 299 }, (_, i) => `click ${letters(i + 1)}: s${letters(i + 1)}`)].join(' | '),
        clock,
      )
    const model = learned(long('10:01'), long('10:02'))
    expect(model.states).toHaveLength(300)
    expect(model.chains[0]!.states).toHaveLength(300)
  })

  test('long ones that go to and fro are taken', () => {
    const long = (clock: string) =>
      aRun(
        `start | ${Array(100).fill('click A: left | click B: right | wait: right').join(' | ')} | click C: end`,
        clock,
      )
    const model = learned(long('10:01'), long('10:02'))
    expect(chainsOf(model)[0]!.split(' ')).toHaveLength(202)
  })
})

describe('any small runs', () => {
  const screen = fc.constantFrom('start', 'menu', 'help', 'panel', 'saved', 'blank')
  const step = fc
    .tuple(fc.constantFrom('click', 'wait', 'key'), screen)
    .map(([type, to]) => (type === 'wait' ? `wait: ${to}` : `${type} ${to}: ${to}`))
  const run = fc.tuple(screen, fc.array(step, { maxLength: 7 })).map(([first, steps]) => [first, ...steps].join(' | '))
  const runs = fc.array(run, { minLength: 1, maxLength: 6 }).map((ways) => recordings(ways.length, ...ways))
  const ending = fc
    .array(run, { minLength: 1, maxLength: 6 })
    .map((ways) => recordings(ways.length, ...ways.map((way) => `${way} | click Finish: finished`)))

  test('every recorded observation is in one state, and each run goes through its states in order', () => {
    fc.assert(
      fc.property(runs, (given) => {
        const { nodes, edges, order } = learnAutomaton(samplesOf(given))
        const members = nodes.flatMap((node) => node.members.map((m) => `${order[m.trace]} ${m.state.step}`))
        expect(members.sort()).toEqual(given.flatMap((states, i) => states.map(({ step: at }) => `${i} ${at}`)).sort())
        for (const { from, to } of edges) expect(from).toBeLessThan(to)
        const known = new Set(edges.map(({ from, to }) => `${from} ${to}`))
        for (const path of pathsOf(given, nodes)) {
          for (let i = 1; i < path.length; i++) expect(known).toContain(`${path[i - 1]} ${path[i]}`)
        }
      }),
    )
  })

  test('supports are counted, and dominators are those of the edges', () => {
    fc.assert(
      fc.property(runs, (given) => {
        const { nodes, edges, immediateDominators } = learnAutomaton(samplesOf(given))
        const paths = pathsOf(given, nodes)
        for (const { from, to, support } of edges) {
          const through = paths.filter((path) => path.some((node, i) => node === from && path[i + 1] === to))
          expect(support).toBe(through.length)
        }
        const start = nodes.length
        const tree = dominators(
          digraph(start + 1, [
            ...edges.map((e) => [e.from, e.to] as const),
            ...paths.map((p) => [start, p[0]!] as const),
          ]),
          start,
        )
        nodes.forEach((_, node) => {
          const above = tree.immediateDominator(node)
          expect(immediateDominators[node]).toBe(above === start ? null : above)
        })
      }),
    )
  })

  test('every state of a chain is on all runs that end there, and their order is what these runs agree on', () => {
    fc.assert(
      fc.property(runs, (given) => {
        const { nodes, chains } = learnAutomaton(samplesOf(given))
        const placed = pathsOf(given, nodes).map((path) => ({
          end: path.at(-1)!,
          path: path.map((node) => nodes[node]!.sameAs ?? node),
        }))
        expect(chains.map(({ terminal }) => terminal)).toEqual(
          [...new Set(placed.map(({ end }) => end))].sort((a, b) => a - b),
        )
        for (const chain of chains) {
          expect(chain.nodes.at(-1)).toBe(chain.terminal)
          expect(new Set(chain.nodes).size).toBe(chain.nodes.length)
          const theirs = placed.filter(({ end }) => end === chain.terminal).map(({ path }) => path)
          for (const node of chain.nodes) for (const path of theirs) expect(path).toContain(node)
          const place = new Map(chain.nodes.map((node, i) => [node, i]))
          for (const [earlier, later] of chain.order) expect(place.get(earlier)!).toBeLessThan(place.get(later)!)
          expect(chain.leastActions).toHaveLength(chain.order.length)
          const firsts = theirs.map((path) => [...new Set(path.filter((node) => chain.nodes.includes(node)))])
          expect(chain.order).toEqual(partialOrder(firsts).covers)
        }
      }),
    )
  })

  test('where all runs end in one state, every recognisable state that all pass is essential', () => {
    fc.assert(
      fc.property(ending, (given) => {
        const { nodes, chains, weights } = learnAutomaton(samplesOf(given))
        if (chains.length > 1) return
        nodes.forEach((node, index) => {
          const everywhere = pathsOf(given, nodes).every((path) => path.includes(index))
          const known = weightOf(signatureIndex(node.bags, weights).required, weights) >= 0.6
          const asked = chains[0]!.nodes.includes(node.sameAs ?? index)
          if (everywhere && known && node.kind !== 'transient') expect(asked).toBe(true)
          if (asked) expect(node.kind).toBe('essential')
        })
      }),
    )
  })

  test('runs with one last screen and one last action end in one state', () => {
    fc.assert(fc.property(ending, (given) => expect(learnAutomaton(samplesOf(given)).chains).toHaveLength(1)))
  })

  test('their order changes no byte', () => {
    fc.assert(
      fc.property(runs, fc.nat(), (given, seed) => {
        expect(canonicalJson(learned(...shuffled(given, seededRandom(seed))))).toBe(canonicalJson(learned(...given)))
      }),
    )
  })

  /** Run -> its nodes in order. */
  function pathsOf(given: readonly (readonly State[])[], nodes: Automaton['nodes']): number[][] {
    return given.map((_, trace) =>
      nodes.flatMap((node, index) => (node.members.some((m) => m.trace === trace) ? [index] : [])),
    )
  }
})

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}

/** A number in letters, as screens are numbered by their own words. */
function letters(n: number): string {
  return [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}
