import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vitest/config'

const FOLDERS = ['app', 'bench', 'bin', 'e2e', 'examples', 'lib']
const NOT_SOURCES = /(?:^|\/)(?:node_modules|results)\//

/**
 * What vitest keeps of a module says which files its imports led to, and vitest finds it by the
 * text of the module alone. So everything is made anew once a file has come, gone or moved.
 */
export function keyedByFiles(root: string): Plugin {
  const key = [...sourcesIn(root), readFileSync(join(root, 'tsconfig.json'), 'utf8')].join('\n')
  const keyOf = () => key
  return {
    name: 'cache-keyed-by-files',
    configureVitest: ({ experimental_defineCacheKeyGenerator: define }) => define(keyOf),
  }
}

function sourcesIn(root: string): string[] {
  return FOLDERS.flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    return names.map((name) => join(folder, name)).filter((path) => !NOT_SOURCES.test(path))
  }).sort()
}
