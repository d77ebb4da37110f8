import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { writeMmdb } from './support/mmdb'
import { isThorough } from './support/thorough'

const PORT = 3987
export const EXAMPLE_PORT = 3988
export const MAIL_PORT = 3989
const CALLBACK_PORT = 3990
const baseURL = `http://localhost:${PORT}`

// Playwright loads this file in every worker; they must agree on the folder.
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'))
const GEOIP_FILE = join(process.env.E2E_DATA_DIR, 'places.mmdb')
const PLACE = { city: { names: { en: 'Zürich' } }, country: { names: { en: 'Switzerland' } } }
if (!existsSync(GEOIP_FILE)) writeMmdb(GEOIP_FILE, 127, PLACE)

/** A page without our own letters takes less time; whoever looks at widths needs them. */
export const WITH_FONTS = {
  ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    // The applications of the demo data, on ports where nobody's own work is in the way.
    `--host-resolver-rules=MAP localhost:3001 127.0.0.1:${EXAMPLE_PORT}, MAP localhost:4000 127.0.0.1:${CALLBACK_PORT}`,
  ],
}

export default defineConfig({
  testDir: 'browser',
  outputDir: 'results/playwright',
  timeout: 120_000,
  // A busy machine is slow, not wrong.
  expect: { timeout: 30_000 },
  // Once more, and `npm test` names those that needed it.
  retries: 1,
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  projects: [
    { name: 'sign-in', testMatch: '*.setup.ts' },
    {
      name: 'browser',
      testMatch: '*.spec.ts',
      testIgnore: '**/thorough/**',
      dependencies: ['sign-in'],
    },
    // What is slow and rarely breaks: only `npm test -- --all` runs it.
    {
      name: 'browser-thorough',
      testDir: 'browser/thorough',
      testMatch: '*.spec.ts',
      dependencies: ['sign-in'],
    },
  ],
  use: {
    baseURL,
    // Pages write times in the zone of the browser: the same one on every machine.
    timezoneId: 'UTC',
    launchOptions: isThorough
      ? WITH_FONTS
      : { ...WITH_FONTS, args: [...WITH_FONTS.args, '--disable-remote-fonts'] },
  },
  webServer: [
    {
      command: `"${process.execPath}" dist/server.js --demo=quiet`,
      cwd: '..',
      url: `${baseURL}/healthz`,
      timeout: 60_000,
      env: {
        PORT: String(PORT),
        DATA_DIR: process.env.E2E_DATA_DIR,
        LOG_LEVEL: 'warn',
        GEOIP_FILE,
        NODE_ENV: '',
        SMTP_URL: `smtp://127.0.0.1:${MAIL_PORT}`,
        MAIL_FROM: 'Gatehouse <id@gatehouse.example>',
        REGISTRATION: 'open',
      },
    },
    {
      command: `"${process.execPath}" e2e/support/callback-app.mjs ${CALLBACK_PORT}`,
      cwd: '..',
      url: `http://127.0.0.1:${CALLBACK_PORT}`,
    },
  ],
})
