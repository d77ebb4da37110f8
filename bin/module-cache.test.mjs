import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../e2e/support/folder.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONFIG = `
  import { keyedByFiles } from '${ROOT}e2e/support/module-cache.ts'
  export default {
    plugins: [keyedByFiles(import.meta.dirname)],
    test: { globals: true, experimental: { fsModuleCache: true, fsModuleCachePath: 'cache' } },
  }`

test('a module that moved is found where it is, although who imports it is kept', () => {
  const root = temporaryFolder()
  for (const folder of ['app', 'bench', 'bin', 'e2e', 'examples', 'lib/moved']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  writeFileSync(join(root, 'tsconfig.json'), '{}')
  writeFileSync(join(root, 'vitest.config.ts'), CONFIG)
  const importing = `import { one } from './moved'\ntest('one', () => expect(one).toBe(1))`
  writeFileSync(join(root, 'lib/one.test.ts'), importing)
  writeFileSync(join(root, 'lib/moved.ts'), 'export const one = 1')
  runTests(root)
  renameSync(join(root, 'lib/moved.ts'), join(root, 'lib/moved/index.ts'))
  expect(runTests(root)).toContain('1 passed')
})

function runTests(root) {
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root]
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' })
}
