import { Secret, TOTP } from 'otpauth'
import { formWith, type OldBrowser, type Page } from './old-browser'

/** The security pages of one's own account, without script. */

const STEP_MS = 30_000

/** Says again who they are, where the page asks. */
export async function confirmed(
  browser: OldBrowser,
  path: string,
  password: string,
): Promise<Page> {
  const page = await browser.open(path)
  if (!page.url.includes('/account/confirm')) return page
  return browser.submit(formWith(page, 'type="password"'), { password })
}

/** `next`: codes of the app, each of them a new one. */
export type App = { totp: TOTP; next(): string }

/** Adds an authenticator app as the page says. */
export async function addApp(browser: OldBrowser, password: string, name = ''): Promise<App> {
  const start = await confirmed(browser, '/account/security/authenticator', password)
  const page = await browser.submit(start, {})
  const secret = /data-secret="([A-Z2-7]+)"/.exec(page.html)?.[1]
  if (secret === undefined) throw new Error(`no secret at ${page.url}`)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  // The step before this one, this one, the next one: each is good once.
  let step = -1
  const next = () => {
    const code = totp.generate({ timestamp: Date.now() + step * STEP_MS })
    step += 1
    return code
  }
  const done = await browser.submit(formWith(page, 'name="code"'), { code: next(), name })
  const { pathname } = new URL(done.url)
  if (pathname === '/account/security/authenticator') throw new Error('the app was not added')
  return { totp, next }
}
