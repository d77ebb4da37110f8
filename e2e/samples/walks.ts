import { type Browser, type Page as BrowserPage, chromium } from '@playwright/test'
import { machineToken } from '../support/api'
import { ask, type Fields } from '../support/ask'
import { approveDevice } from '../support/device'
import { OldBrowser } from '../support/old-browser'
import type { Portal } from '../support/portal'
import { lastLines, type Running, says } from './workshop'

/** What Alice, a machine or a caller does with a sample that runs. */

const SOON = 60
const ALICE = /alice@gatehouse\.example|Alice Clerk|usr_demo_alice/

/** With a real browser: from the sample's own address until it knows who is there. */
export async function walkThrough(
  portal: Portal,
  address: string,
  proof: RegExp = ALICE,
): Promise<void> {
  const browser = await startBrowser()
  try {
    await signInAt(browser, portal, address, proof)
  } finally {
    await browser.close()
  }
}

function startBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env
  return chromium.launch({
    ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
}

async function signInAt(browser: Browser, portal: Portal, address: string, proof: RegExp) {
  const page = await browser.newPage({ locale: 'en' })
  const refusals = refusalsAt(page)
  const deadline = Date.now() + SOON * 1000
  await page.goto(address, { waitUntil: 'domcontentloaded' })
  while (Date.now() < deadline && refusals.length === 0) {
    const text = (await page.textContent('body').catch(() => null)) ?? ''
    const { origin } = new URL(page.url())
    if (origin !== portal.origin && proof.test(text)) return
    // A page may be on its way out while it is used: the next look decides.
    if (origin === portal.origin) await atPortal(page, portal).catch(() => undefined)
    else await press(page, /^\s*(Sign in|Continue)/).catch(() => undefined)
    await page.waitForTimeout(500)
  }
  if (refusals[0]) throw new Error(refusals[0])
  const end = (await page.textContent('body').catch(() => null)) ?? ''
  throw new Error(
    `nobody was signed in; at ${new URL(page.url()).pathname}: ${lastLines(end).slice(0, 600)}`,
  )
}

/** What the portal tells a client in the address of the answer (RFC 6749 §4.1.2.1). */
export function refusalIn(address: string): string | null {
  const { searchParams } = new URL(address)
  const error = searchParams.get('error')
  return error && `${error}: ${searchParams.get('error_description') ?? ''}`
}

function refusalsAt(page: BrowserPage): string[] {
  const found: string[] = []
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) return
    // With `form_post` it is in the body.
    const refusal = refusalIn(request.url()) ?? refusalIn(`form:?${request.postData() ?? ''}`)
    if (refusal) found.push(refusal)
  })
  return found
}

const AT_ONCE = { timeout: 2_000 }

async function atPortal(page: BrowserPage, portal: Portal): Promise<void> {
  const [alice] = portal.demo().users
  if (new URL(page.url()).pathname === '/consent') return press(page, /^Allow/)
  const isKnown = await page.locator('#password').isVisible()
  const field = page.locator(isKnown ? '#password' : '#identifier')
  await field.fill((isKnown ? alice?.password : alice?.email) ?? '', AT_ONCE)
  await field.press('Enter', AT_ONCE)
}

async function press(page: BrowserPage, words: RegExp): Promise<void> {
  await page.locator('a, button').filter({ hasText: words }).first().click(AT_ONCE)
}

/** Signs Alice in at the portal, agrees, and gives the address that the browser is sent to. */
export async function answerTo(portal: Portal, address: string): Promise<string> {
  const browser = new OldBrowser(portal.origin)
  const [alice] = portal.demo().users
  const login = await browser.open(address)
  if (new URL(login.url).origin !== portal.origin) return login.url
  if (!login.url.includes('/login')) throw new Error(`the portal refused: ${told(login.html)}`)
  let page = await browser.signIn(login, alice ?? { email: '', password: '' })
  if (page.url.includes('/consent')) {
    page = await browser.submit(page, { scope: ['orders:read', 'orders:write'] })
  }
  return page.url
}

function told(html: string): string {
  const main = /<main[\s\S]*?<\/main>/.exec(html)?.[0] ?? html
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)
}

/** A program that prints where to sign in, and listens for the answer. */
export async function walkNative(
  portal: Portal,
  running: Running,
  seconds: number,
  proof: RegExp = ALICE,
) {
  const address = await says(running, /(?:Open|your browser:) (http\S+)/, seconds)
  await (await fetch(await answerTo(portal, address))).text()
  await says(running, proof, SOON)
}

/** A device that shows a code, and waits until Alice has entered it elsewhere. */
export async function walkDevice(portal: Portal, running: Running, seconds: number) {
  const code = await says(running, /enter the code (\S+)/, seconds)
  const [alice] = portal.demo().users
  await approveDevice(portal, code, alice ?? { email: '', password: '' })
  await says(running, /"access_token":"eyJ|usr_demo_alice/, SOON)
}

/** A script that prints where to sign in, and asks for the code. */
export async function walkCurl(portal: Portal, running: Running) {
  const address = await says(running, /^(http\S+)$/m, SOON)
  await says(running, /Code: /, SOON)
  const { searchParams } = new URL(await answerTo(portal, address))
  running.type(searchParams.get('code') ?? '')
  await says(running, /"access_token":"eyJ/, SOON)
}

/** An API: 401 without a token and with a bad one, 403 without the scope, 200 with it. */
export async function callWithTokens(portal: Portal, address: string) {
  const good = await machineToken(portal, 'orders:read')
  const other = await machineToken(portal, 'orders:write')
  const expected: [string, Fields, number][] = [
    ['a good token', bearer(good), 200],
    ['no token', {}, 401],
    ['a forged token', bearer(`${good.slice(0, -8)}AAAAAAAA`), 401],
    ['a token without the scope', bearer(other), 403],
  ]
  for (const [what, headers, status] of expected) {
    const { origin, pathname } = new URL(address)
    const answer = await ask(origin, { path: pathname, headers })
    if (answer.status !== status) {
      const challenge = answer.headers['www-authenticate'] ?? lastLines(answer.body)
      throw new Error(`${what}: ${answer.status} ${challenge}`)
    }
  }
}

export function bearer(token: string): Fields {
  return { authorization: `Bearer ${token}` }
}
