import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '../../lib/crypto/secrets'
import type { ConsentView } from '../../lib/oidc/consent'
import type { OpenOp } from '../../lib/op'
import { trustDevice } from '../../lib/store/accounts/trusted-devices'
import { consentAt } from '../support/consent-view'
import { usually } from '../support/databases'
import { type App, enrolApp } from '../support/enrol'
import { authorizeUrl, exchange, received, webRequest } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { OldBrowser, type Page } from '../support/old-browser'

/** Step-up: a scope refused with `mfa_required` says which login gives it, and that login does. */

describe.each(usually('sqlite'))('step-up on %s', (kind) => {
  let portal: OpenPortal
  let op: OpenOp
  let app: App

  beforeAll(async () => {
    portal = await openPortal({ kind })
    op = portal.op
    await exportNeedsSecondFactor(op)
    app = await enrolApp(portal, { id: 'usr_demo_alice', email: 'alice@gatehouse.example' })
  })
  afterAll(() => portal.stop())

  /** What the page says about an answer that was refused. */
  const problemOf = ({ html }: Page) => html
  const choicesOf = ({ items }: ConsentView) => items.map(({ scope: one }) => one)
  const scope = 'openid orders:read orders:export'
  const ask = (more: Record<string, string> = {}) =>
    authorizeUrl(webRequest(portal.demo(), { scope, ...more }))

  async function signedIn(who = portal.demo().users[0]): Promise<OldBrowser> {
    if (!who) throw new Error('nobody to sign in')
    const browser = new OldBrowser(portal.origin)
    // Where Alice is not asked for her second factor: what is asked later is asked by the app.
    browser.cookies.set('gatehouse.device', await trustedBy('usr_demo_alice'))
    await browser.signIn(await browser.open('/login'), who)
    return browser
  }
  async function trustedBy(userId: string): Promise<string> {
    const token = newSecret('ghdv')
    const device = { tokenHash: op.hashSecret(token), userId, userAgent: 'a browser' }
    const expiresAt = new Date(op.now().getTime() + 60_000)
    await op.write((tx) => trustDevice(tx, { ...device, expiresAt }, op.now()))
    return token
  }
  async function finish(browser: OldBrowser, page: Page): Promise<Record<string, string>> {
    const done = page.url.includes('/consent')
      ? await browser.submit(page, { scope: ['orders:read', 'orders:export'] })
      : page
    return received(done)
  }
  const tokens = async (code = '') => JSON.parse((await exchange(portal, code)).body)
  const forget = () => op.db.rateCounter.deleteMany({})

  test('refused with the acr_values; asked again with them, and granted', async () => {
    const alice = await signedIn()
    const first = await tokens((await finish(alice, await alice.open(ask()))).code)
    expect(first.scope).toBe('openid orders:read')
    expect(first.scope_rejected_reasons).toEqual([
      { scope: 'orders:export', code: 'mfa_required', acr_values: 'mfa', next_action: 'step_up' },
    ])
    expect(decodeJwt(first.id_token)).toMatchObject({ acr: 'pwd', amr: ['pwd'] })

    const page = await alice.open(ask({ acr_values: 'mfa' }))
    expect(page.url).toContain('/second-factor?')
    const before = alice.cookieHeader()
    const wrong = await alice.submit(page, { code: '000000' })
    expect(problemOf(wrong)).toBe('wrong')
    const proved = await alice.submit(wrong, { code: app.next() })
    const second = await tokens((await finish(alice, proved)).code)
    expect(second.scope).toBe(scope)
    expect(decodeJwt(second.id_token)).toMatchObject({ acr: 'mfa', amr: ['pwd', 'otp', 'mfa'] })

    // M9: the cookie from before is nobody's; the session that apps know is the same.
    const old = new OldBrowser(portal.origin)
    for (const pair of before.split('; ')) {
      const [name = '', value = ''] = pair.split('=')
      old.cookies.set(name, value)
    }
    expect((await old.open(ask({ prompt: 'none' }))).url).toContain('error=login_required')
    expect(decodeJwt(second.id_token).sid).toBe(decodeJwt(first.id_token).sid)
    // Now that it is there, nobody is asked again.
    expect((await finish(alice, await alice.open(ask({ acr_values: 'mfa' })))).code).toBeDefined()
  })

  test('consent offers the second factor on the spot, and what it adds can be allowed then', async () => {
    const alice = await signedIn()
    const page = await alice.open(ask({ prompt: 'consent' }))
    expect(page.url).toContain('/consent')
    const view = await consentAt(portal, alice, page)
    expect(view.provable).toMatchObject([{ scope: 'orders:export', atHand: true }])
    expect(choicesOf(view)).not.toContain('orders:export')
    const here = new URL(page.url).search
    const again = await alice.submit(await alice.open(`/second-factor${here}`), {
      code: app.next(),
    })
    expect(again.url).toContain('/consent')
    const after = await consentAt(portal, alice, again)
    expect(after.provable).toEqual([])
    expect(choicesOf(after)).toContain('orders:export')
    await forget()
    // Bob has no second factor: he is told what to do instead.
    const bob = await signedIn(portal.demo().users[1])
    const other = await bob.open(ask({ prompt: 'consent' }))
    const { provable } = await consentAt(portal, bob, other)
    expect(provable).toMatchObject([{ scope: 'orders:export', atHand: false }])
  })

  test('M6: a code is good once, also for ten at the same moment', async () => {
    const code = app.next()
    const browsers = await Promise.all(Array.from({ length: 4 }, () => signedIn()))
    const pages = await Promise.all(
      browsers.map((browser) => browser.open(ask({ acr_values: 'mfa' }))),
    )
    const ends = await Promise.all(
      browsers.map((browser, at) => browser.submit(pages[at] ?? ({} as Page), { code })),
    )
    const proved = ends.filter(({ url }) => !url.includes('/second-factor'))
    expect(proved).toHaveLength(1)
    await forget()
  })

  test('M6: after five wrong ones even the right one has to wait', async () => {
    const alice = await signedIn()
    let page = await alice.open(ask({ acr_values: 'mfa' }))
    for (let i = 0; i < 5; i += 1) page = await alice.submit(page, { code: `00000${i}` })
    page = await alice.submit(page, { code: app.next() })
    expect(problemOf(page)).toBe('slow_down')
    await forget()
  })

  test('M8: an empty answer stays; Cancel goes back with access_denied', async () => {
    const alice = await signedIn()
    const page = await alice.open(ask({ acr_values: 'mfa' }))
    const empty = await alice.submit(page, { code: '' })
    expect(problemOf(empty)).toBe('missing')
    const gone = await alice.submit(empty, {}, ['answer', 'cancel'])
    expect(received(gone)).toMatchObject({ error: 'access_denied', state: 'the-state' })
  })

  test('a wish is dropped where it cannot be met, a demand is not', async () => {
    const essential = JSON.stringify({ id_token: { acr: { essential: true, values: ['mfa'] } } })
    const alice = await signedIn()
    expect(
      received(await alice.open(ask({ acr_values: 'mfa', prompt: 'none' }))).code,
    ).toBeDefined()
    expect(received(await alice.open(ask({ claims: essential, prompt: 'none' })))).toMatchObject({
      error: 'unmet_authentication_requirements',
    })
    expect((await alice.open(ask({ claims: essential }))).url).toContain('/second-factor?')
    // What nobody can give is refused at once, and nobody is sent in circles.
    const gold = JSON.stringify({ id_token: { acr: { essential: true, value: 'gold' } } })
    expect(received(await alice.open(ask({ claims: gold })))).toMatchObject({
      error: 'unmet_authentication_requirements',
    })
    const bob = await signedIn(portal.demo().users[1])
    expect((await finish(bob, await bob.open(ask({ acr_values: 'mfa' })))).code).toBeDefined()
    expect(received(await bob.open(ask({ claims: essential })))).toMatchObject({
      error: 'unmet_authentication_requirements',
    })
  })

  test('B41, M7: somebody else’s interaction is expired here', async () => {
    const alice = await signedIn()
    const page = await alice.open(ask({ acr_values: 'mfa' }))
    const mallory = await signedIn(portal.demo().users[1])
    const stolen = await mallory.open(page.url)
    expect(problemOf(await mallory.submit(stolen, { code: app.next() }))).toBe('expired')
  })
})

async function exportNeedsSecondFactor(op: OpenOp): Promise<void> {
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  const applicationId = 'app_demo_web'
  await op.changePolicy(async (tx) => {
    await tx.grant.deleteMany({ where: { applicationId } })
    await tx.grant.createMany({
      data: [
        { id: 'grn_plain', applicationId, pattern: 'orders:read', ...stamps },
        {
          id: 'grn_factor',
          applicationId,
          pattern: 'orders:export',
          condition: 'atLeast(auth.acr, "mfa")',
          ...stamps,
        },
      ],
    })
  })
}
