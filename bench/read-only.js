// A whole process that does nothing but read traces: what learning from them is compared with.

import { readTrace } from '../dist/esm/index.js'

const traces = []
for (const folder of process.argv.slice(2)) traces.push(await readTrace(folder))
