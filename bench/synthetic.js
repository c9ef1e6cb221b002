// Runs made of words, without pictures: as long as wanted, and the same on every machine.

import { seededRandom } from '../dist/esm/eval/random.js'

const CHROME = ['File', 'Edit', 'View', 'Run', 'Terminal', 'Help', 'Search', 'Explorer', 'Settings', 'Account']
const WORDS = 50

/**
 * A run of `steps` steps over `states` distinct screens of 50 words each. It goes round them in order, now and then leaves
 * one out or waits on one, so that two runs with different seeds agree on most and never on all.
 */
export function syntheticTrace({ steps, states, seed, name = `run-${seed}` }) {
  const random = seededRandom(seed)
  const list = []
  for (let index = 0, screen = 0; index < steps; index++) {
    const waits = index > 0 && random() < 0.05
    if (index > 0 && !waits) screen = (screen + (random() < 0.1 ? 2 : 1)) % states
    const action = index === 0 ? null : waits ? { type: 'wait' } : { type: 'click', target: `to screen ${screen}` }
    list.push({ index, at: index * 1000, action, observation: { text: screenText(screen) }, extra: {} })
  }
  const end = { claimed: 'pass' }
  const rest = { task: 'Go round', format: 'native', folder: name, outcome: 'pass', warnings: [], extra: {} }
  return { name, ...rest, steps: list, end }
}

export function screenText(screen) {
  const own = Array.from({ length: WORDS - CHROME.length }, (_, i) => `word${screen}x${i}`)
  return [...CHROME, ...own].join(' ')
}
