import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { keyedByFiles } from './support/module-cache.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const globalSetup = ['e2e/support/databases-of-run.ts']
/** Only a test that hangs fails by the clock: a slow or busy machine changes no result. */
const unhurried = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
}

/** See e2e/support/compiler/shared.mjs. */
const resolve = {
  alias: [
    {
      find: /^@prisma\/client\/runtime\/query_compiler_small_bg\.(sqlite|postgresql)\.mjs$/,
      replacement: `${root}e2e/support/compiler/$1.mjs`,
    },
  ],
}

const plugins = [keyedByFiles(root)]

const built = { root, globalSetup, ...unhurried, isolate: false }

/**
 * `unit` needs nothing built: functions, and the portal in the process of the test. `http` talks to
 * the built portal; `thorough` does too, and runs only with `npm test -- --all`.
 */
export default defineConfig({
  root,
  test: {
    // What was transformed stays for the next part, and for the next run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        root,
        resolve,
        plugins,
        test: {
          root,
          globalSetup: [...globalSetup, 'e2e/support/trusted-certificates.ts'],
          name: 'unit',
          include: [
            ...['lib/**/*.test.ts', 'bin/**/*.test.mjs', 'e2e/torture/**/*.test.ts'],
            ...['bench/*.test.ts', 'e2e/samples/*.test.ts', 'e2e/in-process/**/*.test.ts'],
          ],
          ...unhurried,
          maxWorkers: 2, // by itself it would leave one of two cores unused
          isolate: false, // to load every module again for every file takes half of the time
        },
      },
      {
        root,
        resolve,
        plugins,
        // Each file waits for its portal now and then.
        test: { ...built, name: 'http', include: ['e2e/http/**/*.test.ts'], maxWorkers: 3 },
      },
      {
        root,
        resolve,
        plugins,
        test: { ...built, name: 'thorough', include: ['e2e/thorough/**/*.test.ts'], maxWorkers: 3 },
      },
    ],
  },
})
