import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** TypeScript that a test runs as a process of its own. */
export async function bundleScript(name: string): Promise<string> {
  const outfile = join(ROOT, 'dist/test', `${name}.js`)
  await build({
    entryPoints: [join(ROOT, 'e2e/support', `${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
  })
  return outfile
}
