import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from '@swc/core'

/**
 * Compiles the library into `folder/lib`, for tests that need processes of their own (which have no jest to do it).
 * Gives back `folder`; scripts written there import `./lib/….js`.
 */
export async function compileLib(folder: string): Promise<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const files = await readdir(join(root, 'lib'), { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))) {
    const { code } = await transform(await readFile(join(root, 'lib', file), 'utf8'), {
      configFile: false,
      swcrc: false,
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    })
    const target = join(folder, 'lib', file.replace(/\.ts$/, '.js'))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, code)
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}
