// Two doors, one source: dist/esm for import, dist/cjs for require (the command line is ESM only, as yargs is).

import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
// Built beside and swapped in at the end: whoever runs the old build meanwhile keeps it whole.
const fresh = join(root, `dist.new-${process.pid}`)
process.on('exit', () => rmSync(fresh, { recursive: true, force: true }))
for (const door of ['esm', 'cjs']) {
  const project = join(root, `tsconfig.${door}.json`)
  execFileSync(process.execPath, [tsc, '-p', project, '--outDir', join(fresh, door)], { stdio: 'inherit', cwd: root })
}
writeFileSync(join(fresh, 'cjs/package.json'), '{ "type": "commonjs" }\n')
const old = join(root, `dist.old-${process.pid}`)
if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old)
renameSync(fresh, join(root, 'dist'))
rmSync(old, { recursive: true, force: true })
