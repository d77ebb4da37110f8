import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
const common = { root, globalSetup: ['e2e/support/postgres.ts'] }

/** `unit` needs nothing built; `http` talks to the built server. */
export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        test: {
          ...common,
          name: 'unit',
          include: [
            ...['lib/**/*.test.ts', 'bin/**/*.test.mjs', 'e2e/torture/**/*.test.ts'],
            ...['bench/*.test.ts', 'e2e/samples/*.test.ts'],
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2, // by itself it would leave one of two cores unused
          isolate: false, // to load every module again for every file takes half of the time
        },
      },
      {
        root,
        test: {
          ...common,
          globalSetup: [...common.globalSetup, 'e2e/support/demo-template.ts'],
          name: 'http',
          include: ['e2e/http/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          isolate: false,
          maxWorkers: 4, // each file starts servers of its own, and waits for them now and then
        },
      },
    ],
  },
})
