import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made, ok } from '../support/access-requests'
import { addApp } from '../support/add-app'
import { type Call, caller, machineToken } from '../support/api'
import { ask, askToken, type Fields } from '../support/ask'
import { askDevice, confirmDevice, enterCode } from '../support/device'
import { type DocumentHost, startDocumentHost } from '../support/document-host'
import { authorizeUrl, pkcePair, received } from '../support/flow'
import { checkboxes, OldBrowser, type Page } from '../support/old-browser'
import { toldOn } from '../support/page-forms'
import { type Portal, startPortal } from '../support/portal'

/**
 * What people see of the applications and devices that ask for them. A portal of its own: it trusts
 * the site of the metadata documents from its start, and the last test uses up a limit.
 */

const CALLBACK = 'https://rp.example/cb'
const ANY = { 'if-match': '*' }
const NOT_VALID =
  'This code is not valid. It may have expired or been used. Get a new one on your device.'

let portal: Portal
let api: Call
let site: DocumentHost
const { verifier, challenge } = pkcePair()

beforeAll(async () => {
  site = await startDocumentHost()
  portal = await startPortal({ args: ['--demo'], env: site.env })
  api = caller(portal, await machineToken(portal))
  const scopes = ['openid', 'profile', 'orders:read']
  const clientRegistration = { mode: 'open', documents: true, scopes }
  ok(await api('PATCH', '/settings', { clientRegistration }, ANY))
})

afterAll(async () => {
  await portal.stop()
  site.close()
})

function login(index: number) {
  const user = portal.demo().users[index]
  if (!user) throw new Error('the demo has two users')
  return user
}

const asked = (client_id: string, more: Fields = {}) =>
  authorizeUrl({
    client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid orders:read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })

async function signedIn(index = 0): Promise<OldBrowser> {
  const browser = new OldBrowser(portal.origin)
  await browser.signIn(await browser.open('/login'), login(index))
  return browser
}

describe('an application that registered itself', () => {
  let id: string
  let secret: string

  beforeAll(async () => {
    const answer = await ask(portal.origin, {
      method: 'POST',
      path: '/oidc/register',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Support desk',
        redirect_uris: [CALLBACK],
        post_logout_redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'client_secret_post',
        logo_uri: 'https://rp.example/logo.png',
        initiate_login_uri: 'https://rp.example/login',
      }),
    })
    expect(answer.status, answer.body).toBe(201)
    ;({ client_id: id, client_secret: secret } = JSON.parse(answer.body))
  })

  test('R4: the page of consent says that nobody checked it, and its user finds it among the agents', async () => {
    const alice = await signedIn()
    const page = await alice.open(asked(id))
    expect(page.html).toContain('registered itself')
    expect(page.html).not.toContain('rp.example/logo')
    const { code = '' } = received(await alice.submit(page, { scope: ['orders:read'] }))
    const answer = await askToken(portal.origin, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      client_id: id,
      client_secret: secret,
    })
    expect(answer.status, answer.body).toBe(200)
    const seen = async () => (await alice.open('/account/apps')).html
    // Which tokens it got is written in batches.
    const [, payload = ''] = JSON.parse(answer.body).access_token.split('.')
    const { jti } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    await expect.poll(seen).toContain(jti)
    for (const fact of ['Agents', 'Support desk', 'rp.example', 'Not verified'])
      expect(await seen()).toContain(fact)
    const iss = encodeURIComponent(portal.origin)
    expect(await seen()).toContain(`href="https://rp.example/login?iss=${iss}"`)
    expect(await seen()).toContain('Open at rp.example')
  })

  test('B29: the page of consent shows what is asked for by name', async () => {
    const claims = JSON.stringify({ userinfo: { name: null } })
    const browser = await signedIn(1)
    const page = await browser.open(asked(id, { scope: 'openid', claims }))
    expect(page.html).toContain('<li>See your name and profile</li>')
    const without = await browser.open(asked(id, { scope: 'openid' }))
    expect(without.html).not.toContain('<li>See your name and profile</li>')
  })

  test('R21: signing out without a session ends at the portal, with the host and a choice', async () => {
    const fields = { client_id: id, post_logout_redirect_uri: CALLBACK, state: 's' }
    const end = `/oidc/session/end?${new URLSearchParams(fields)}`
    const page = await new OldBrowser(portal.origin).open(end)
    expect(new URL(page.url).pathname).toBe('/logout')
    expect(page.html).toContain('Continue to rp.example')
    expect(page.html).toContain(`href="${CALLBACK}?state=s"`)
  })
})

test('an application with a metadata document: its consent, its card and its pages for admins', async () => {
  const redirect_uri = `${site.origin}/cb`
  const id = site.document('/app.json', { logo_uri: `${site.origin}/logo.png` })
  const alice = await signedIn()
  const consent = await alice.open(asked(id, { redirect_uri }))
  expect(consent.html).toContain('Far away wants access')
  expect(consent.html).toContain(`describes itself at ${site.host}`)
  expect(consent.html).not.toContain('logo.png')
  await alice.submit(consent, {})
  expect((await alice.open('/account/apps')).html).toContain('Far away')
  const admin = new OldBrowser(portal.origin)
  await admin.signIn(await admin.open('/login'), portal.demo().admin)
  const tabs = ['', '/settings', '/scopes', '/people', '/consent', '/refusals', '/danger']
  for (const tab of tabs) {
    const page = await admin.open(`/admin/applications/${encodeURIComponent(id)}${tab}`)
    expect([tab, page.status]).toEqual([tab, 200])
    expect(page.html).toContain('Far away')
  }
})

test('B41, M7: consent names what needs a second factor, and says what to do without one', async () => {
  const { id } = await made(api, '/applications', {
    name: 'Ledger',
    kind: 'web',
    redirectUris: [CALLBACK],
  })
  const condition = 'atLeast(auth.acr, "mfa")'
  const grants = [{ pattern: 'orders:read' }, { pattern: 'orders:export', condition }]
  ok(await api('PUT', `/applications/${id}/grants`, { grants }, ANY))
  const bob = await signedIn(1)
  const page = await bob.open(asked(id, { scope: 'openid orders:read orders:export' }))
  // Script carries every word that the page knows; what people see is in the markup.
  expect(page.html).toContain('>Needs a second factor</h2>')
  expect(page.html).toContain('>Set up a second factor under Security')
  expect(checkboxes(page.html)).not.toContain('orders:export')
  // The request of somebody else, at the page where it would be proved.
  const mallory = await signedIn()
  const stolen = await mallory.open(`/second-factor${new URL(page.url).search}`)
  expect(stolen.html).toContain('This request has expired')
  // With one, it can be used on the spot.
  const app = await addApp(bob, login(1).password)
  const again = await bob.open(page.url)
  const [, here = ''] = /href="(\/second-factor\?interaction=[^"]+)"/.exec(again.html) ?? []
  const proved = await bob.submit(await bob.open(here), { code: app.next() })
  expect(proved.html).not.toContain('>Needs a second factor</h2>')
  expect(checkboxes(proved.html)).toContain('orders:export')
})

describe('a device', () => {
  let tv: string

  beforeAll(async () => {
    const app = await made(api, '/applications', { kind: 'device', name: 'Television' })
    tv = app.id
    const grants = [{ pattern: 'orders:read' }]
    ok(await api('PUT', `/applications/${tv}/grants`, { grants }, ANY))
  })

  async function userCode(): Promise<string> {
    const answer = await askDevice(portal.origin, { client_id: tv, scope: 'openid orders:read' })
    return JSON.parse(answer.body).user_code
  }
  const told = (page: Page) => toldOn(page)[0]?.text

  test('V5: a link fills the code in and sends nothing', async () => {
    const code = await userCode()
    const filled = await (await signedIn()).open(`/device?user_code=${code}`)
    expect([new URL(filled.url).pathname, filled.html]).toEqual([
      '/device',
      expect.stringContaining(`value="${code}"`),
    ])
  })

  test('the pages say what asks and from where, then that it is connected', async () => {
    const code = await userCode()
    const browser = new OldBrowser(portal.origin)
    const confirm = await enterCode(browser, code)
    for (const fact of [code, 'Television', '127.0.0.1', 'Continue only if you started this'])
      expect(confirm.html).toContain(fact)
    const outsider = new OldBrowser(portal.origin)
    expect((await outsider.open(confirm.url)).html).toContain('>This code has expired</h1>')
    const consent = await confirmDevice(browser, confirm, login(0))
    expect(consent.html).toContain('the device that shows the code')
    const done = await browser.submit(consent, { scope: ['orders:read'] })
    expect(done.status).toBe(200)
    expect(done.html).toContain('>Your device is connected</h1>')
    expect((await browser.open('/account/apps')).html).toContain('Television')
  })

  test('a device of an application that the user may not use: the page says so', async () => {
    const fields = { kind: 'device', name: 'Tills', requiredScopes: ['orders:refund'] }
    const { id } = await made(api, '/applications', fields)
    const answer = await askDevice(portal.origin, { client_id: id, scope: 'openid' })
    const alice = await signedIn()
    const confirm = await enterCode(alice, JSON.parse(answer.body).user_code)
    const page = await confirmDevice(alice, confirm, login(0))
    const result = new URL(page.url).searchParams.get('result')
    expect([result, page.status]).toEqual(['blocked', 200])
  })

  test('V1: wrong codes are 400, and after ten of them 429', async () => {
    const nobody = new OldBrowser(portal.origin)
    let page = await enterCode(nobody, 'BCDF-GHJK')
    expect([page.status, told(page)]).toEqual([400, NOT_VALID])
    for (let guess = 0; guess < 10; guess += 1) {
      page = await enterCode(nobody, `BCDF-GHJ${'LMNPQRSTVW'[guess]}`)
    }
    expect([page.status, told(page)]).toEqual([429, expect.stringContaining('Too many wrong')])
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
