// Preloaded into a process that is measured: at its end it writes down what the process has used.

import { writeFileSync } from 'node:fs'

process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  writeFileSync(
    process.env.BENCH_USAGE_FILE,
    JSON.stringify({ seconds: (user + system) / 1e6, peakBytes: maxRSS * 1024 }),
  )
})
