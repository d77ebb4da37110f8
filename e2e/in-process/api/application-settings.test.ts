import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Demo } from '../../../lib/operations/demo'
import { type ApiAnswer, callApi, machineToken, sessionOf } from '../../support/api'
import { askToken, type Fields } from '../../support/ask'
import { usually } from '../../support/databases'
import { aliceAtWeb, exchange, getCode, refresh, userinfo, webRequest } from '../../support/flow'
import { type OpenPortal, openPortal } from '../../support/in-process'
import { bombPng, twoColours } from '../../support/pictures'

/** What is set at one application, and who may; its pages are in e2e/http/api. */

const KIB = 1024

describe.each(usually('sqlite'))('one application on %s', (kind) => {
  let portal: OpenPortal
  let demo: Demo
  let token: string
  /** Bob, who manages applications of his own. */
  let manager: Fields

  beforeAll(async () => {
    portal = await openPortal({ kind })
    demo = portal.demo()
    token = await machineToken(portal)
    await changed('PATCH', '/users/usr_demo_bob', { adminRole: 'app_manager' })
    manager = await sessionOf(portal, demo.users[1])
  })

  afterAll(() => portal.stop())

  const call = (method: string, path: string, body?: unknown, who: string | Fields = token) =>
    callApi(portal, who, method, path, body)

  async function read(path: string, who: string | Fields = token) {
    const answer = await call('GET', path, undefined, who)
    expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
    return answer
  }

  async function changed(method: string, path: string, body?: unknown) {
    const seen = await read(path)
    return callApi(portal, token, method, path, body, { 'if-match': seen.headers.etag ?? '' })
  }

  async function created(path: string, body: unknown, who: string | Fields = token) {
    const answer = await call('POST', path, body, who)
    expect([answer.status, answer.raw]).toEqual([201, expect.any(String)])
    return answer.json
  }

  const web = (who: string | Fields = token) => {
    const redirectUris = ['https://rp.example/cb']
    return created('/applications', { kind: 'web', name: 'Web', redirectUris }, who)
  }
  const machine = () => created('/applications', { kind: 'machine', name: 'Machine' })

  test('the metadata of OpenID Connect are set, kept by configuration as code, and checked', async () => {
    const { id } = await web()
    const path = `/applications/${id}`
    const fields = {
      initiateLoginUri: 'https://rp.example/login',
      defaultMaxAge: 0,
      requireAuthTime: true,
      assertionAlg: 'PS256',
      userinfoAlg: 'ES256',
    }
    expect((await changed('PATCH', path, fields)).json).toMatchObject(fields)
    expect((await read(path)).json).toMatchObject(fields)
    const redirectUris = ['https://rp.example/cb']
    const own = { id: 'as-code', kind: 'web', name: 'Web', redirectUris, ...fields }
    const apply = () => call('POST', '/configuration', { version: 1, applications: [own] })
    expect((await apply()).raw).toContain('+ application as-code')
    expect((await read('/applications/as-code')).json).toMatchObject(fields)
    expect((await apply()).raw).not.toContain('application as-code')
    for (const [field, wrong] of Object.entries({
      initiateLoginUri: 'http://rp.example/login',
      defaultMaxAge: -1,
      requireAuthTime: null,
      assertionAlg: 'HS256',
      userinfoAlg: 'none',
    })) {
      const { status, json } = await changed('PATCH', path, { [field]: wrong })
      expect([status, json.errors[0].pointer]).toEqual([400, `/${field}`])
    }
  })

  const statusOf = async (client_id: string, client_secret: string) => {
    const grant = { grant_type: 'client_credentials', client_id, client_secret }
    return JSON.parse((await askToken(portal.origin, { ...grant, scope: 'orders:read' })).body)
  }

  const pointers = ({ json }: ApiAnswer) =>
    json.errors?.map(({ pointer }: { pointer: string }) => pointer) ?? []

  describe('secrets are rotated', () => {
    test('the new one works at once, the old one until its grace is over', async () => {
      const app = await machine()
      const [old] = (await read(`/applications/${app.id}/secrets`)).json.data
      const path = `/applications/${app.id}/secrets/${old.id}/rotation`
      const before = Date.now()
      const next = await created(path, { name: 'next' })
      expect(next).toMatchObject({ name: 'next', expiresAt: null })
      for (const secret of [app.secret, next.secret]) {
        // Known, and refused for want of a grant only.
        expect(await statusOf(app.id, secret)).toMatchObject({ error: 'invalid_scope' })
      }
      const [ending] = (await read(`/applications/${app.id}/secrets?sort=createdAt`)).json.data
      expect(ending.id).toBe(old.id)
      const grace = new Date(ending.expiresAt).getTime() - before
      expect(Math.round(grace / 3_600_000)).toBe(24)
      await created(path, { name: 'at once', graceSeconds: 0 })
      expect(await statusOf(app.id, app.secret)).toMatchObject({ error: 'invalid_client' })
      expect((await call('POST', path, { name: 'again' })).status).toBe(409)
      const { raw } = await read(`/audit-events?event=application.secret_rotated`)
      expect(raw).toContain(old.id)
      expect(raw).not.toMatch(/ghcs_/)
    })

    test('a grace never makes a secret live longer', async () => {
      const app = await machine()
      const soon = new Date(Date.now() + 60_000).toISOString()
      const short = await created(`/applications/${app.id}/secrets`, {
        name: 's',
        expiresAt: soon,
      })
      await created(`/applications/${app.id}/secrets/${short.id}/rotation`, { name: 'n' })
      const { json } = await read(`/applications/${app.id}/secrets?q=s`)
      expect(json.data.find(({ id }: { id: string }) => id === short.id).expiresAt).toBe(soon)
    })

    test.each<[string, object, string]>([
      ['N6: another application', { name: 'x', applicationId: 'app_demo_web' }, '/applicationId'],
      ['N6: a hash', { name: 'x', secretHash: 'x' }, '/secretHash'],
      ['a negative grace', { name: 'x', graceSeconds: -1 }, '/graceSeconds'],
      ['a grace of a year', { name: 'x', graceSeconds: 31_536_000 }, '/graceSeconds'],
      ['N17: a name that turns around', { name: 'a\u202Eb' }, '/name'],
    ])('400 for %s', async (_what, body, pointer) => {
      const [secret] = (await read('/applications/app_demo_machine/secrets')).json.data
      const path = `/applications/app_demo_machine/secrets/${secret.id}/rotation`
      const answer = await call('POST', path, body)
      expect([answer.status, pointers(answer)]).toEqual([400, [pointer]])
    })
  })

  describe('branding', () => {
    test('colours are kept, and one that people could not read is refused', async () => {
      const { id } = await web()
      const path = `/applications/${id}/branding`
      expect((await read(path)).json).toEqual({
        accent: null,
        accentDark: null,
        signInText: {},
        consentText: {},
        logoLight: null,
        logoDark: null,
        methods: null,
        picture: null,
      })
      const colours = { accent: '#5a2ca0', accentDark: '#c9a8ff' }
      expect((await changed('PATCH', path, colours)).json).toMatchObject(colours)
      for (const [body, pointer] of [
        [{ accent: '#ffcc00' }, '/accent'],
        [{ accentDark: '#5a2ca0' }, '/accentDark'],
        [{ accent: 'red' }, '/accent'],
        [{ accent: '#000000}body{display:none' }, '/accent'],
        [{ css: 'body{}' }, '/css'],
      ] as const) {
        const refused = await changed('PATCH', path, body)
        expect([refused.status, pointers(refused)]).toEqual([400, [pointer]])
      }
      expect((await call('PATCH', path, colours)).status).toBe(428)
      const cleared = await changed('PATCH', path, { accent: null })
      expect(cleared.json).toMatchObject({ accent: null, accentDark: '#c9a8ff' })
    })

    test('N17: a text in each language is plain, short, and no word, mark or address of the portal', async () => {
      const { id } = await web()
      const path = `/applications/${id}/branding`
      const texts = {
        signInText: { en: 'Welcome to “Łódź & Söhne”®. <b>5 %</b> off!', 'zh-Hans': '欢迎光临' },
        consentText: { en: 'We need this to deliver.' },
      }
      expect((await changed('PATCH', path, texts)).json).toMatchObject({ accent: null, ...texts })
      for (const text of [
        'Verified by the portal',
        'ｖｅｒｉｆｉｅｄ',
        'V\u0435rified',
        'not VERIFIED',
        '本应用已核实',
        'Checked ✓',
        '✅ safe',
        '\u{1F512} secure',
        '\u221A checked',
        'Go to https://evil.test',
        'www.evil.test',
        'a\u202Eb',
        'two\nlines',
        'a\u200Bb',
        'x'.repeat(201),
        '',
      ]) {
        const refused = await changed('PATCH', path, { signInText: { en: text } })
        expect([text, refused.status, pointers(refused)]).toEqual([text, 400, ['/signInText/en']])
      }
      const unknown = await changed('PATCH', path, { consentText: { tlh: 'nuqneH' } })
      expect([unknown.status, pointers(unknown)[0]]).toEqual([400, '/consentText/tlh'])
      expect((await read(path)).json).toMatchObject(texts)
      const cleared = await changed('PATCH', path, { signInText: {} })
      expect(cleared.json).toMatchObject({ signInText: {}, consentText: texts.consentText })
    })

    test('N18: what is no picture, or too much of one, is refused and nothing is stored', async () => {
      const { id } = await web()
      const path = `/applications/${id}/branding/logos/dark`
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
      const jpeg = await twoColours(900, 900).jpeg().toBuffer()
      const wrong = [
        svg,
        Buffer.from('<html><img src=x onerror=alert(1)>'),
        jpeg.subarray(0, jpeg.length / 2),
        await bombPng(),
        Buffer.alloc(0),
        Buffer.alloc(1_200 * KIB),
      ]
      for (const picture of [...wrong.map((bytes) => bytes.toString('base64')), 'not base64!']) {
        const refused = await call('PUT', path, { picture })
        expect([refused.status, pointers(refused)]).toEqual([400, ['/picture']])
      }
      const whole = { picture: Buffer.alloc(2_000 * KIB).toString('base64') }
      expect((await call('PUT', path, whole)).status).toBe(413)
      expect((await read(`/applications/${id}/branding`)).json.logoDark).toBeNull()
    })
  })

  describe('people', () => {
    test('who agreed is listed with what works of theirs; removing them ends it', async () => {
      const browser = await aliceAtWeb(portal)
      const code = await getCode(browser, webRequest(demo))
      const tokens = JSON.parse((await exchange(portal, code)).body)
      const path = '/applications/app_demo_web/people'
      const { json } = await read(`${path}?count=true&q=alice`)
      expect(json.page.total).toBe(1)
      expect(json.data[0]).toMatchObject({
        id: 'usr_demo_alice',
        granted: expect.arrayContaining(['openid', 'orders:read']),
        lastSignInAt: expect.any(String),
      })
      expect(json.data[0].liveTokens).toBeGreaterThan(0)
      const usage = (await read('/applications/app_demo_web/usage')).json
      expect(usage).toMatchObject({ people: 1, secrets: 1, lastSignInAt: expect.any(String) })
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(200)
      expect((await call('DELETE', `${path}/usr_demo_bob`)).status).toBe(404)
      expect((await call('DELETE', `${path}/usr_demo_alice`)).status).toBe(204)
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(401)
      expect(JSON.parse((await refresh(portal, tokens.refresh_token)).body).error).toBe(
        'invalid_grant',
      )
      expect((await read(path)).json.data).toEqual([])
      expect((await call('DELETE', `${path}/usr_demo_alice`)).status).toBe(404)
    })
  })

  test('the consent preview says what people would be asked, and asks nobody', async () => {
    const path = '/applications/app_demo_web/consent-preview'
    const whole = (await read(path)).json
    expect(whole.signIn).toEqual(['openid', 'profile', 'email'])
    expect(whole.items.find(({ scope }: { scope: string }) => scope === 'orders:refund')).toEqual({
      scope: 'orders:refund',
      api: 'Orders',
      sentences: { en: 'Pay money back', 'zh-Hans': '办理退款' },
      sensitive: true,
      required: false,
    })
    const asked = (await read(`${path}?scope=openid+orders:read+users:write`)).json
    expect(asked).toMatchObject({ signIn: ['openid'], items: [{ scope: 'orders:read' }] })
    const none = await call('GET', '/applications/app_demo_machine/consent-preview')
    expect(none.status).toBe(409)
  })

  describe('N2: an app manager', () => {
    const png = 'iVBORw0KGgo='
    const one = (id: string, secret: string): [string, string, unknown?][] => [
      ['GET', `/applications/${id}`],
      ['GET', `/applications/${id}/usage`],
      ['GET', `/applications/${id}/people`],
      ['GET', `/applications/${id}/branding`],
      ['GET', `/applications/${id}/consent-preview`],
      ['GET', `/applications/${id}/secrets`],
      ['GET', `/applications/${id}/keys`],
      ['GET', `/applications/${id}/grants`],
      ['PATCH', `/applications/${id}`, { name: 'Mine' }],
      ['PATCH', `/applications/${id}/branding`, { accent: null }],
      ['PUT', `/applications/${id}/branding/logos/light`, { picture: png }],
      ['DELETE', `/applications/${id}/branding/logos/light`],
      ['DELETE', `/applications/${id}/people/usr_demo_alice`],
      ['POST', `/applications/${id}/secrets/${secret}/rotation`, { name: 'x' }],
      ['DELETE', `/applications/${id}`],
    ]

    test('sees somebody else’s application exactly as one that does not exist', async () => {
      const [secret] = (await read('/applications/app_demo_web/secrets')).json.data
      const before = (await read('/applications/app_demo_web')).raw
      const seen = { 'if-match': '*' }
      const theirs = one('app_demo_web', secret.id)
      const nowhere = one('app_nowhere', secret.id)
      for (const [at, [method, path, body]] of theirs.entries()) {
        const answers = await Promise.all([
          callApi(portal, manager, method, path, body, seen),
          callApi(portal, manager, method, nowhere[at]?.[1] ?? '', body, seen),
        ])
        const [there, missing] = answers.map(({ status, json }) => {
          const { requestId, ...rest } = json
          // Each names the ID that it was asked for, and nothing else differs.
          const detail = json.detail.replace(/app_demo_web|app_nowhere/, 'ID')
          return { status, ...rest, detail, told: typeof requestId }
        })
        expect([path, there?.status]).toEqual([path, 404])
        expect(there).toEqual(missing)
      }
      expect((await read('/applications/app_demo_web')).raw).toBe(before)
      const { data } = (await read('/applications', manager)).json
      expect(data.filter(({ owner }: { owner: string }) => owner !== 'usr_demo_bob')).toEqual([])
    })

    test('N3: owns what they create, whatever the body says, and gives it to nobody', async () => {
      const redirectUris = ['https://rp.example/cb']
      const body = { kind: 'web', name: 'Given away', redirectUris }
      for (const owner of ['usr_demo_alice', null]) {
        const refused = await call('POST', '/applications', { ...body, owner }, manager)
        expect(refused.status).toBe(403)
      }
      const app = await web(manager)
      expect(app.owner).toBe('usr_demo_bob')
      const path = `/applications/${app.id}`
      const headers = { 'if-match': '*' }
      const moved = await callApi(portal, manager, 'PATCH', path, { owner: null }, headers)
      expect(moved.status).toBe(403)
      const named = await callApi(portal, manager, 'PATCH', path, { id: 'app_demo_web' }, headers)
      expect([named.status, pointers(named)]).toEqual([400, ['/id']])
      const [secret] = (await read(`${path}/secrets`, manager)).json.data
      // A secret of theirs, at an application that is not.
      const elsewhere = `/applications/app_demo_web/secrets/${secret.id}/rotation`
      expect((await call('POST', elsewhere, { name: 'x' }, manager)).status).toBe(404)
      for (const [method, at, more] of one(app.id, secret.id)) {
        const done = await callApi(portal, manager, method, at, more, headers)
        expect([at, [200, 201, 204, 400, 404].includes(done.status)]).toEqual([at, true])
        if (method === 'GET') expect([at, done.status]).toEqual([at, 200])
      }
      expect((await call('GET', path)).status).toBe(404)
    })
  })
})
