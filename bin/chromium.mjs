// A browser for the tests: the system's, otherwise Playwright's, otherwise Debian's package if it
// may be installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ROOT, SetupError } from './setup.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

export async function findChromium() {
  const found = onThisSystem() ?? (await playwrights()) ?? debians()
  if (found) return found
  throw new SetupError(
    'no browser for the tests: install Chromium or Chrome (Debian: apt-get install -y chromium) and run npm test again',
  )
}

function onThisSystem() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [process.env.CHROMIUM_PATH, ...candidates, ...PLACES].find(
    (path) => path && existsSync(path),
  )
}

async function playwrights() {
  const { chromium } = await import('@playwright/test')
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  quietly(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'])
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined
}

function debians() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  quietly('apt-get', ['update'])
  quietly('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
  return onThisSystem()
}

function quietly(command, args) {
  spawnSync(command, args, { cwd: ROOT, stdio: 'ignore', timeout: 300_000 })
}
