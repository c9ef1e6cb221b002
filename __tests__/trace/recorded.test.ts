import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { findTraces, nameTraces } from '../../lib/trace/find-traces.js'
import { labelFor, readLabels } from '../../lib/trace/labels.js'
import { readTrace } from '../../lib/trace/read-trace.js'
import { describeIfCorpora } from '../helpers/corpora.js'

const TASKS = ['vscode-search', 'editor-replace', 'nodered-flow'] as const

describeIfCorpora('real recordings', (root) => {
  test.each(TASKS)('%s: every run is read, and has its label', async (task) => {
    const folder = join(root, 'recorded', task)
    const paths = await findTraces([folder])
    const runs = ['test', 'train'].flatMap((split) =>
      readdirSync(join(folder, split)).map((run) => join(folder, split, run)),
    )
    expect([...paths].sort()).toEqual(runs.sort())
    expect(nameTraces(paths)).toContain('train/run-01')
    const labels = await readLabels(join(folder, 'labels.json'))
    expect(labels.runs.size).toBe(runs.length)
    for (const path of paths) {
      const trace = await readTrace(path)
      expect(trace.warnings).toEqual([])
      expect(trace.extra).toEqual({})
      const label = labelFor(labels, join(folder, 'labels.json'), path)
      expect(label?.states).toHaveLength(trace.steps.length)
      expect(trace.end?.claimed).toBe(label?.claimed)
      for (const step of trace.steps) expect(step.extra).toEqual({})
    }
  })
})
