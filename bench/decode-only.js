// A whole process that does nothing but decode the pictures of a folder once: what a check is compared with.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { decodeAll } from './pictures.js'

const folder = process.argv[2]
await decodeAll(readdirSync(folder).map((name) => join(folder, name)))
