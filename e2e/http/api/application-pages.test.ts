import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PAGES } from '../../../lib/admin/pages'
import { guidesFor } from '../../../lib/quick-start'
import { ANY, loginOf, made, ok, type Person, people } from '../../support/access-requests'
import { type Call, caller, machineToken } from '../../support/api'
import { ask } from '../../support/ask'
import { authorizeUrl, pkcePair, received } from '../../support/flow'
import { temporaryFolder } from '../../support/folder'
import { OldBrowser } from '../../support/old-browser'
import { formsIn } from '../../support/page-forms'
import { twoColours } from '../../support/pictures'
import type { Portal } from '../../support/portal'
import { sharedPortal } from '../../support/shared-portal'

/** The pages of one application: those of its admins, and what its users see of it. */

const REDIRECT = 'https://rp.example/cb'

let portal: Portal
let api: Call
/** Manages applications of their own. */
let manager: Person
/** Signs in to them. */
let user: Person

beforeAll(async () => {
  portal = await sharedPortal()
  api = caller(portal, await machineToken(portal))
  const found = await people(portal, ['app-pages-manager', 'app-pages-user'])
  manager = found['app-pages-manager']
  user = found['app-pages-user']
  ok(await api('PATCH', `/users/${manager.id}`, { adminRole: 'app_manager' }, ANY))
})

const web = (call: Call, name = 'Web') =>
  made(call, '/applications', { kind: 'web', name, redirectUris: [REDIRECT] })

const authorizeAt = (client_id: string, scope: string) =>
  authorizeUrl({
    client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope,
    code_challenge: pkcePair().challenge,
    code_challenge_method: 'S256',
  })

test('the settings of an application send what its protocol needs', async () => {
  const { id } = await web(api)
  const path = `/admin/applications/${id}/settings`
  const browser = new OldBrowser(portal.origin)
  await browser.signIn(await browser.open('/login'), portal.demo().admin)
  const save = async (section: string, typed: Record<string, string>) => {
    const forms = formsIn(await browser.open(path))
    const form = forms.find(({ hidden }) => hidden.some(([, value]) => value === section))
    const kept = (form?.fields ?? [])
      .filter(({ name, type }) => type !== 'checkbox' && !(name in typed))
      .map(({ name, value }): [string, string] => [name, value])
    const body = new FormData()
    const all = [...(form?.hidden ?? []), ...kept, ...Object.entries(typed)]
    for (const [name, value] of all) body.append(name, value)
    const page = await browser.open(form?.action ?? '', { method: 'POST', body })
    expect([section, page.url]).toEqual([section, expect.stringContaining('done=appSaved')])
  }
  await save('addresses', { initiateLoginUri: 'https://rp.example/login' })
  await save('security', {
    authMethods: 'client_secret_basic',
    grantTypes: 'authorization_code',
    userinfoAlg: 'ES256',
    defaultMaxAge: '600',
    requireAuthTime: 'yes',
  })
  await save('compatibility', { pkce: 'required', assertionAlg: 'PS256' })
  const fields = { userinfoAlg: 'ES256', defaultMaxAge: 600, requireAuthTime: true }
  const more = { initiateLoginUri: 'https://rp.example/login', assertionAlg: 'PS256' }
  expect((await api('GET', `/applications/${id}`)).json).toMatchObject({ ...fields, ...more })
  await save('security', { authMethods: 'client_secret_basic', defaultMaxAge: '', userinfoAlg: '' })
  const empty = { userinfoAlg: null, defaultMaxAge: null, requireAuthTime: false }
  expect((await api('GET', `/applications/${id}`)).json).toMatchObject({ ...empty, ...more })
})

describe('branding', () => {
  test('N18: a logo is drawn anew, has an address of its own, and goes with its application', async () => {
    const { id } = await web(api)
    const path = `/applications/${id}/branding/logos/light`
    const picture = (await twoColours(400, 200).png().toBuffer()).toString('base64')
    const sent = await api('PUT', path, { picture })
    expect([sent.status, sent.json.logoDark]).toEqual([200, null])
    const first = new URL(sent.json.logoLight).pathname
    const served = await fetch(portal.origin + first)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': 'inline; filename="picture.webp"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    const webp = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
    expect([webp.width, webp.height, webp.hasAlpha]).toEqual([256, 256, true])
    const again = await api('PUT', path, { picture })
    expect(new URL(again.json.logoLight).pathname).not.toBe(first)
    expect((await ask(portal.origin, { path: first })).status).toBe(404)
    expect((await api('PUT', path.replace('light', '..%2fdark'), { picture })).status).toBe(404)
    expect((await api('DELETE', path)).status).toBe(204)
    expect((await api('DELETE', path)).status).toBe(404)
    const last = await api('PUT', path, { picture })
    ok(await api('DELETE', `/applications/${id}`, undefined, ANY))
    expect((await fetch(last.json.logoLight)).status).toBe(404)
  })

  test('N17: the sign-in and consent pages of an app show its name as text, its logo and colour', async () => {
    const name = '<img src=x onerror=alert(1)>'
    const { id } = await web(api, name)
    const picture = (await twoColours().png().toBuffer()).toString('base64')
    const path = `/applications/${id}/branding`
    const { json } = await api('PUT', `${path}/logos/light`, { picture })
    const texts = { signInText: { en: '<i>Welcome</i>' }, consentText: { en: '<i>Welcome</i>' } }
    ok(await api('PATCH', path, { accent: '#5a2ca0', ...texts }, ANY))
    const browser = new OldBrowser(portal.origin)
    const login = await browser.open(authorizeAt(id, 'openid'))
    const consent = await browser.signIn(login, loginOf('app-pages-user'))
    for (const page of [login, consent]) {
      expect(page.html).toContain(new URL(json.logoLight).pathname)
      expect(page.html).toContain('--color-accent: light-dark(#5a2ca0, #7fcab2)')
      expect(page.html).not.toContain(name)
      // Its line is text too, and under its name.
      expect(page.html).not.toContain('<i>')
      expect(page.html).toMatch(
        /<figcaption[^>]*>Message from &lt;img.*?<blockquote[^>]*>&lt;i&gt;Welcome/,
      )
      expect(page.html).toContain('&lt;img src=x onerror=alert(1)&gt;')
      const nonce = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1]
      expect(page.html).toContain(`<style nonce="${nonce}">`)
    }
    const other = new OldBrowser(portal.origin)
    expect((await other.open(login.url)).html).not.toContain('--color-accent: light-dark(#5a')
  })
})

test('the quick start of a machine with a key of its own runs as it stands, and its pages show no secret', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const known = { kid: 'night-job', alg: 'ES256' }
  const publicJwk = { ...(await exportJWK(publicKey)), ...known }
  const authMethods = ['private_key_jwt'] as const
  const fields = { authMethods, jwks: { keys: [publicJwk] }, withSecret: false }
  const { id, secret } = await made(api, '/applications', {
    kind: 'machine',
    name: 'Job',
    ...fields,
  })
  expect(secret).toBeUndefined()
  const grants = [{ pattern: 'orders:read' }]
  ok(await api('PUT', `/applications/${id}/grants`, { grants }, ANY))
  const file = join(temporaryFolder(), 'private-key.json')
  writeFileSync(file, JSON.stringify({ ...(await exportJWK(privateKey)), ...known }))

  const lists = { redirectUris: [], postLogoutRedirectUris: [], scopes: ['orders:read'] }
  const place = { issuer: portal.demo().issuer, origin: portal.origin }
  const guides = guidesFor(place, { id, kind: 'machine', authMethods, ...lists })
  const text = guides[0]?.guide.files[0]?.text ?? ''
  const env = { ...process.env, CLIENT_KEY_FILE: file }
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', text], { env })
  expect((await run).stdout).toMatch(/^Granted: orders:read\nNot granted: nothing\neyJ/)

  const admin = new OldBrowser(portal.origin)
  await admin.signIn(await admin.open('/login'), portal.demo().admin)
  const { html } = await admin.open(`/admin/applications/${id}/credentials`)
  const thumbprint = await calculateJwkThumbprint(publicJwk)
  for (const shown of ['night-job', 'ES256', thumbprint]) expect(html).toContain(shown)
  for (const offered of ['Add a secret', 'Create an access key', 'keep a secret']) {
    expect(html).not.toContain(offered)
  }
  const start = await admin.open(`/admin/applications/${id}/quick-start`)
  expect(start.html).toContain('CLIENT_KEY_FILE')
  expect(start.html).not.toContain('CLIENT_SECRET')
})

describe('an app manager', () => {
  test('N2: opens every page of an application of their own, and none of another', async () => {
    const { id } = await web(manager.call)
    const all = Object.keys(ADMIN_PAGES) as (keyof typeof ADMIN_PAGES)[]
    const pages = all.filter((page) => page.includes('/[app]'))
    const { accessKey } = await made(manager.call, `/applications/${id}/keys`, { name: 'k' })
    for (const page of pages) {
      const open = async (app: string) => {
        const path = page.replace('[app]', app).replace('[key]', accessKey)
        return (await ask(portal.origin, { path, headers: manager.session })).status
      }
      // The whole audit log, and a part of it, is for admins and auditors.
      const answers = ADMIN_PAGES[page] === 'audit:read' ? [403, 403] : [200, 404]
      expect([page, await open(id), await open('app_demo_web')]).toEqual([page, ...answers])
    }
  })

  test('Q15: reads on the page of users only what each of them agreed to share', async () => {
    const { id } = await web(manager.call)
    const browser = new OldBrowser(portal.origin)
    const login = await browser.open(authorizeAt(id, 'openid'))
    const consent = await browser.signIn(login, loginOf('app-pages-user'))
    expect(received(await browser.submit(consent, {})).code).toBeDefined()
    const path = `/admin/applications/${id}/people`
    const headers = { ...manager.session, 'accept-language': 'en' }
    const { body } = await ask(portal.origin, { path, headers })
    expect(body).toContain('You see only what each user shares')
    expect(body).toContain(user.id)
    expect(body).toContain('not shared')
    expect(body).not.toContain(loginOf('app-pages-user').email)
  })
})
