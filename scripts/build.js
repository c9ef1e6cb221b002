// Two doors, one source: dist/esm for import, dist/cjs for require (the command line is ESM only, as yargs is).

import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
rmSync(join(root, 'dist'), { recursive: true, force: true })
for (const door of ['esm', 'cjs']) {
  execFileSync(process.execPath, [tsc, '-p', join(root, `tsconfig.${door}.json`)], { stdio: 'inherit', cwd: root })
}
writeFileSync(join(root, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n')
