import { type Answer, askForm, askToken, type Fields } from './ask'
import { OldBrowser, type Page } from './old-browser'
import type { AnyPortal } from './portal'

/** A device that signs in (RFC 8628), and the person who answers for it in a browser. */

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

type Login = { email: string; password: string }

export function askDevice(origin: string, fields: Fields): Promise<Answer> {
  return askForm(origin, '/oidc/device_authorization', fields)
}

export function poll(origin: string, fields: Fields): Promise<Answer> {
  return askToken(origin, { grant_type: DEVICE_GRANT, ...fields })
}

/** As far as the page that asks whether the device is theirs. */
export async function enterCode(browser: OldBrowser, userCode: string): Promise<Page> {
  return browser.submit(await browser.open('/device'), { user_code: userCode })
}

/** From there to the consent page, signing in on the way if nobody is. */
export async function confirmDevice(
  browser: OldBrowser,
  confirm: Page,
  login: Login,
): Promise<Page> {
  const next = await browser.submit(confirm, {})
  return next.url.includes('/login') ? browser.signIn(next, login) : next
}

/** Everything, ticked or not as `scopes` says. Returns the last page. */
export async function approveDevice(
  { origin }: Pick<AnyPortal, 'origin'>,
  userCode: string,
  login: Login,
  { browser = new OldBrowser(origin), scopes = ['orders:read', 'orders:write'] } = {},
): Promise<Page> {
  const confirm = await enterCode(browser, userCode)
  const consent = await confirmDevice(browser, confirm, login)
  if (!consent.url.includes('/consent')) return consent
  return browser.submit(consent, { scope: scopes })
}
