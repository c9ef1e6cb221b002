import { expect, test } from '@jest/globals'
import { checkReport, errorResult } from '../../lib/report/check-report.js'
import { NO_COLORS } from '../../lib/report/colors.js'
import { claimRemark, listReporter } from '../../lib/report/list-reporter.js'
import { multiplex } from '../../lib/report/reporter.js'

const result = errorResult('run', { code: 'x', message: 'nothing there' })

test('a reporter that breaks is told once, and the others go on', async () => {
  const told: string[] = []
  const heard: string[] = []
  const breaks = () => {
    throw new Error('broken')
  }
  const reporter = multiplex(
    [
      { name: 'bad', runEnd: breaks, end: breaks },
      { name: 'late', end: async () => breaks() },
      { name: 'good', runEnd: ({ run }) => void heard.push(run), end: ({ verdict }) => void heard.push(verdict) },
    ],
    (name, error) => told.push(`${name}: ${error}`),
  )
  reporter.runEnd(result)
  reporter.runEnd(result)
  await reporter.end(checkReport([result, result]))
  expect(told).toEqual(['bad: Error: broken', 'late: Error: broken'])
  expect(heard).toEqual(['run', 'run', 'error'])
})

test('the summary counts, the worst first', async () => {
  let text = ''
  const list = listReporter((more) => void (text += more), { colors: NO_COLORS })
  const runs = (['pass', 'fail', 'fail', 'inconclusive', 'error'] as const).map((verdict) => ({
    ...result,
    verdict,
    model: 'oracle/m',
  }))
  await list.end?.(checkReport(runs))
  expect(text).toBe('Runs:   1 error, 2 failed, 1 inconclusive, 1 passed, 5 total\nModel:  oracle/m\n')
})

test('no run at all is a pass of nothing', () => {
  expect(checkReport([])).toMatchObject({ verdict: 'pass', model: null, summary: { pass: 0 } })
})

test.each([
  ['pass', 'fail', 'The agent claimed pass: a false success.'],
  ['fail', 'pass', 'The agent claimed fail, but did what the task asks.'],
  ['pass', 'pass', null],
  ['pass', 'inconclusive', null],
  ['done', 'fail', 'The agent claimed "done".'],
  [null, 'fail', null],
] as const)('claimed %s, verdict %s', (claimed, verdict, remark) => {
  expect(claimRemark({ claimed, verdict })).toBe(remark)
})
