// The process that a job is done in: once for each message, answered with its CPU time and what it gave.

import { JOBS } from './jobs.js'
import { cpuOf } from './measure.js'

const [name, given] = process.argv.slice(2)
const job = await JOBS[name](JSON.parse(given))
process.on('message', async () => process.send(await cpuOf(job)))
process.send('ready')
