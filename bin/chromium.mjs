// A browser for the tests: a headless shell if there is one, which needs a third of the time;
// otherwise the system's browser, otherwise Playwright's.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ROOT, SetupError } from './setup.mjs'

const SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const APT = '/usr/bin/apt-get'
const IMPATIENT = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

export async function findChromium() {
  const { CHROMIUM_PATH } = process.env
  const own = CHROMIUM_PATH ?? onPath([SHELL]) ?? debians() ?? onThisSystem()
  const found = own ?? (await playwrights())
  if (found) return found
  throw new SetupError(
    'no browser for the tests: install Chromium or Chrome (Debian: apt-get install -y chromium) and run npm test again',
  )
}

function onThisSystem() {
  return onPath(NAMES) ?? PLACES.find((path) => existsSync(path))
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))
}

async function playwrights() {
  const { chromium } = await import('@playwright/test')
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  quietly(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'install', 'chromium'],
    300_000,
  )
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined
}

/**
 * Debian's package, where it may be installed: of the version of the Chromium that is there, so that
 * nothing else changes. Only the download has a time limit; an installation is not cut short.
 */
function debians() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync(APT)) return undefined
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of dpkg's own
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f=${Version}', 'chromium-common'])
  const wanted = [SHELL, String(stdout ?? '')].filter((part) => part !== '').join('=')
  const install = ['install', '-y', '--no-install-recommends', wanted]
  const download = () => quietly(APT, [...IMPATIENT, ...install, '--download-only'], 60_000)
  if (!download()) {
    quietly(APT, [...IMPATIENT, 'update'], 60_000)
    if (!download()) return undefined
  }
  quietly(APT, [...install, '--no-download'])
  return onPath([SHELL])
}

function quietly(command, args, timeout) {
  return spawnSync(command, args, { cwd: ROOT, stdio: 'ignore', timeout }).status === 0
}
