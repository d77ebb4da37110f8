import { decodeJwt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirmEnrolment, enrolTotp } from '../../lib/accounts/totp'
import { newSecret } from '../../lib/crypto/secrets'
import { createOp, type OpenOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { trustDevice } from '../../lib/store/trusted-devices'
import { demoDatabase, usually } from '../support/databases'
import { authorizeUrl, exchange, received, webRequest } from '../support/flow'
import { checkboxes, OldBrowser, type Page } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

/** Step-up: a scope refused with `mfa_required` says which login gives it, and that login does. */

const STEP_SECONDS = 30

describe.each(usually('postgres'))('step-up on %s', (kind) => {
  let portal: Portal
  let house: OpenOp
  let secret: string

  beforeAll(async () => {
    const DATABASE_URL = await demoDatabase[kind]()
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL } })
    house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    await exportNeedsSecondFactor(house)
    secret = await enrolAlice(house)
    await new Promise((resolve) => setTimeout(resolve, 1_050))
  })
  afterAll(async () => {
    await house.close()
    await portal.stop()
  })

  /** A code that was not used yet: each spends its step of the clock. */
  let stepsAhead = 0
  function nextCode(): string {
    stepsAhead += 1
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    return totp.generate({ timestamp: Date.now() + (stepsAhead % 2) * STEP_SECONDS * 1000 })
  }
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
    const device = { tokenHash: house.hashSecret(token), userId, userAgent: 'a browser' }
    const expiresAt = new Date(Date.now() + 60_000)
    await house.write((tx) => trustDevice(tx, { ...device, expiresAt }, new Date()))
    return token
  }
  async function finish(browser: OldBrowser, page: Page): Promise<Record<string, string>> {
    const done = page.url.includes('/consent')
      ? await browser.submit(page, { scope: ['orders:read', 'orders:export'] })
      : page
    return received(done)
  }
  const tokens = async (code = '') => JSON.parse((await exchange(portal, code)).body)
  const forget = () => house.db.rateCounter.deleteMany({})
  const restart = () => house.db.totpCredential.updateMany({ data: { lastStep: 0 } })

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
    expect(wrong.html).toContain('This code isn’t right')
    const proved = await alice.submit(wrong, { code: nextCode() })
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
    await restart()
    const alice = await signedIn()
    const page = await alice.open(ask({ prompt: 'consent' }))
    expect(page.url).toContain('/consent')
    // Script carries every word that the page knows; what people see is in the markup.
    const asksFor = ({ html }: Page) => html.includes('>Needs a second factor</h2>')
    expect(asksFor(page)).toBe(true)
    expect(checkboxes(page.html)).not.toContain('orders:export')
    const here = /href="(\/second-factor\?interaction=[^"]+)"/.exec(page.html)?.[1] ?? ''
    const again = await alice.submit(await alice.open(here), { code: nextCode() })
    expect(again.url).toContain('/consent')
    expect(asksFor(again)).toBe(false)
    expect(checkboxes(again.html)).toContain('orders:export')
    await forget()
    // Bob has no second factor: he is told what to do instead.
    const bob = await signedIn(portal.demo().users[1])
    const other = await bob.open(ask({ prompt: 'consent' }))
    expect(asksFor(other)).toBe(true)
    expect(other.html.includes('>Set up a second factor under Security')).toBe(true)
  })

  test('M6: a code is good once, also for ten at the same moment', async () => {
    await restart()
    const code = nextCode()
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
    await restart()
    const alice = await signedIn()
    let page = await alice.open(ask({ acr_values: 'mfa' }))
    for (let i = 0; i < 5; i += 1) page = await alice.submit(page, { code: `00000${i}` })
    page = await alice.submit(page, { code: nextCode() })
    expect(page.html).toContain('Too many wrong codes')
    await forget()
  })

  test('M8: an empty answer stays; Cancel goes back with access_denied', async () => {
    const alice = await signedIn()
    const page = await alice.open(ask({ acr_values: 'mfa' }))
    const empty = await alice.submit(page, { code: '' })
    expect(empty.html).toContain('Enter the code')
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
    const stolen = await mallory.open(page.url.replace(portal.origin, ''))
    expect(stolen.html.includes('This request has expired')).toBe(true)
  })
})

async function exportNeedsSecondFactor(house: OpenOp): Promise<void> {
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  const applicationId = 'app_demo_web'
  await house.changePolicy(async (tx) => {
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

async function enrolAlice(house: OpenOp): Promise<string> {
  return house.write(async (tx) => {
    const alice = { id: 'usr_demo_alice', email: 'alice@gatehouse.example' }
    const enrolment = await enrolTotp(house, tx, alice, 'Phone')
    const totp = new TOTP({ secret: Secret.fromBase32(enrolment.secret) })
    const old = totp.generate({ timestamp: Date.now() - STEP_SECONDS * 1000 })
    if (!(await confirmEnrolment(house, tx, enrolment, old))) throw new Error('not confirmed')
    return enrolment.secret
  })
}
