import { spawnSync } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locales } from '../../lib/i18n/locales'
import type { Demo } from '../../lib/operations/demo'
import { callApi, machineToken, sessionOf } from '../support/api'
import { ask, askToken, type Fields, machineFields } from '../support/ask'
import { freshDatabase, KINDS } from '../support/databases'
import { temporaryFolder } from '../support/folder'
import { type Portal, spawnPortal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { type MailServer, startMailServer } from '../support/smtp'

/** Settings that really hold, webhooks that really arrive, and roles that nobody gives themselves. */

describe.each(KINDS)('settings and webhooks on %s', (kind) => {
  let portal: Portal
  let demo: Demo
  let token: string
  let owner: Fields
  let receiver: Receiver
  let mail: MailServer

  beforeAll(async () => {
    receiver = await startReceiver()
    mail = await startMailServer()
    const DATABASE_URL = await freshDatabase[kind]()
    const OUTBOUND_HOSTS = `localhost:${receiver.port},127.0.0.1:${mail.port}`
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL, OUTBOUND_HOSTS } })
    demo = portal.demo()
    token = await machineToken(portal)
    owner = await sessionOf(portal, demo.admin)
  })

  afterAll(async () => {
    await portal.stop()
    await mail.close()
    receiver.close()
  })

  const call = (method: string, path: string, body?: unknown, headers?: Fields) =>
    callApi(portal, token, method, path, body, headers)

  async function seen(path: string): Promise<Fields> {
    return { 'if-match': (await call('GET', path)).headers.etag ?? '' }
  }

  async function set(patch: object) {
    const answer = await call('PATCH', '/settings', patch, await seen('/settings'))
    expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
    return answer
  }

  async function auditLog() {
    const answer = await call('GET', '/audit-events?limit=100')
    expect(answer.status).toBe(200)
    return answer
  }

  const page = (path: string, headers: Fields = {}) => ask(portal.origin, { path, headers })

  describe('settings', () => {
    test('say what holds; a change names the version that was seen, and nothing unknown', async () => {
      const { json, headers } = await call('GET', '/settings')
      expect(json).toMatchObject({
        security: { passwordLength: 15, adminSecondFactor: false, registration: 'closed' },
        branding: { name: 'Gatehouse', accent: null },
        languages: { default: 'en', offered: [...locales] },
        mail: null,
        providers: [],
        fixed: {},
      })
      const patch = { security: { confirmMinutes: 9 } }
      expect((await call('PATCH', '/settings', patch)).status).toBe(428)
      const first = await call('PATCH', '/settings', patch, { 'if-match': headers.etag ?? '' })
      expect(first.json.security.confirmMinutes).toBe(9)
      const late = await call('PATCH', '/settings', patch, { 'if-match': headers.etag ?? '' })
      expect([late.status, late.json.current.security.confirmMinutes]).toEqual([412, 9])
    })

    test.each([
      [{ security: { isAdmin: true } }, '/security/isAdmin'],
      [{ security: { passwordLength: 8 } }, '/security/passwordLength'],
      [{ security: { passwordLengthWithFactor: 60 } }, '/security/passwordLengthWithFactor'],
      [{ security: { sessionHours: 1, sessionIdleMinutes: 90 } }, '/security/sessionIdleMinutes'],
      [{ branding: { name: 'x\u202Ey' } }, '/branding/name'],
      [{ branding: { accent: { light: '#ffee00', dark: '#9ac4ff' } } }, '/branding/accent/light'],
      [{ languages: { offered: ['en'], default: 'zh-Hans' } }, '/languages/default'],
      [{ mail: { server: 'smtp://u:secret@x.example', from: 'a@x.example' } }, '/mail/server'],
      [{ mail: { server: 'http://x.example', from: 'a@x.example' } }, '/mail/server'],
      [{ mail: { server: 'smtp://x.example', from: 'a@x.example\r\nBcc: b@y' } }, '/mail/from'],
    ])('N6: 400 for %j', async (patch, pointer) => {
      const answer = await call('PATCH', '/settings', patch, await seen('/settings'))
      const pointers = answer.json.errors?.map((error: { pointer: string }) => error.pointer)
      expect([answer.status, pointers]).toEqual([400, [pointer]])
    })

    test('of two changes that saw the same, one is made', async () => {
      const version = await seen('/settings')
      const tries = [11, 12, 13].map((confirmMinutes) =>
        call('PATCH', '/settings', { security: { confirmMinutes } }, version),
      )
      const statuses = (await Promise.all(tries)).map(({ status }) => status).sort()
      expect(statuses).toEqual([200, 412, 412])
    })

    test('name and colours are on the pages; the name is text (N17)', async () => {
      const name = `<i>Acme</i> ID ${kind}`
      await set({ branding: { name, accent: { light: '#0b4b9a', dark: '#9ac4ff' } } })
      const front = await page('/login')
      expect(front.body).toContain('&lt;i&gt;Acme&lt;/i&gt; ID')
      expect(front.body).not.toContain('<i>Acme')
      const [href = ''] = /\/branding\.css\?v=\d+/.exec(front.body) ?? []
      const css = await page(href)
      expect(css.headers['content-type']).toContain('text/css')
      expect(css.body).toContain('--color-accent:light-dark(#0b4b9a,#9ac4ff)')
      await set({ branding: { name: 'Gatehouse', accent: null } })
      expect((await page('/login')).body).not.toContain('branding.css')
    })

    test('a language that is not offered is not spoken, whatever the browser wishes', async () => {
      const wish = { 'accept-language': 'en' }
      await set({ languages: { offered: ['zh-Hans'], default: 'zh-Hans' } })
      expect((await page('/login', wish)).body).toContain('<html lang="zh-Hans"')
      await set({ languages: { offered: ['en', 'zh-Hans'], default: 'zh-Hans' } })
      expect((await page('/login', wish)).body).toContain('<html lang="en"')
      const unknown = { 'accept-language': 'fr' }
      expect((await page('/login', unknown)).body).toContain('<html lang="zh-Hans"')
      await set({ languages: { default: 'en' } })
    })

    test('G8: so many token requests a minute, from the next one on', async () => {
      const many = (count: number) =>
        Promise.all(Array.from({ length: count }, () => askToken(portal.origin, wanted())))
      const wanted = () => machineFields(portal, { scope: 'orders:read' })
      await set({ security: { clientRequestsPerMinute: 6 } })
      expect((await many(4)).map(({ status }) => status)).toContain(429)
      await set({ security: { clientRequestsPerMinute: 6000 } })
      expect(new Set((await many(4)).map(({ status }) => status))).toEqual(new Set([200]))
    })

    test('registration opens and closes', async () => {
      await set({ security: { registration: 'open' } })
      expect((await page('/register')).body).toContain('name="password"')
      expect((await page('/login')).body).toContain('/register')
      await set({ security: { registration: 'closed' } })
      expect((await page('/register')).body).not.toContain('name="password"')
    })

    test('an admin without a second factor sets one up first; others are not concerned', async () => {
      await set({ security: { adminSecondFactor: true } })
      try {
        const refused = await callApi(portal, owner, 'GET', '/settings')
        expect([refused.status, refused.json.code]).toEqual([403, 'second_factor_needed'])
        const { status, headers } = await page('/admin/users', { cookie: owner.cookie ?? '' })
        expect([status, headers.location]).toEqual([307, '/account/security?done=factorNeeded'])
        const user = await sessionOf(portal, demo.users[0])
        expect((await page('/account', { cookie: user.cookie ?? '' })).status).toBe(200)
      } finally {
        await set({ security: { adminSecondFactor: false } })
      }
      expect((await callApi(portal, owner, 'GET', '/settings')).status).toBe(200)
    })
  })

  describe('providers', () => {
    const acme = {
      kind: 'oidc',
      name: 'Acme',
      issuer: 'https://id.acme.example',
      clientId: 'portal',
      clientSecret: 'canary-provider-secret',
    }
    const put = async (body: object) =>
      call('PUT', '/settings/providers/acme', body, await seen('/settings'))

    test('are offered at the sign-in, and their secret is never read back (N9)', async () => {
      const added = await put(acme)
      expect(added.json.providers).toMatchObject([
        { id: 'acme', source: 'settings', secretSet: true, usable: true },
      ])
      expect(added.json.providers[0].callback).toBe(`${portal.origin}/api/auth/callback/acme`)
      expect((await page('/login')).body).toContain('Acme')
      const { clientSecret: _, ...rest } = acme
      expect((await put({ ...rest, name: 'Acme Inc' })).status).toBe(200)
      const moved = await put({ ...rest, issuer: 'https://evil.example' })
      expect([moved.status, moved.json.errors[0].pointer]).toEqual([400, '/clientSecret'])
      const audit = await auditLog()
      const told = [added.raw, audit.raw, (await call('GET', '/settings')).raw].join()
      expect(told).not.toContain('canary-provider-secret')
      expect(audit.raw).toContain('settings.provider_saved')
    })

    test.each(['https://127.0.0.1', 'http://id.example', 'https://169.254.169.254'])(
      'N19: not at %s',
      async (issuer) => {
        const answer = await put({ ...acme, issuer })
        expect([answer.status, answer.json.errors[0].pointer]).toEqual([400, '/issuer'])
      },
    )

    test('N3: the name is the path’s, and one that is gone is gone', async () => {
      expect((await put({ ...acme, id: 'other' })).status).toBe(400)
      const gone = await call(
        'DELETE',
        '/settings/providers/acme',
        undefined,
        await seen('/settings'),
      )
      expect(gone.json.providers).toEqual([])
      expect((await page('/login')).body).not.toContain('Acme')
      const again = await call(
        'DELETE',
        '/settings/providers/acme',
        undefined,
        await seen('/settings'),
      )
      expect(again.status).toBe(404)
    })
  })

  describe('mail', () => {
    const test_ = () => callApi(portal, owner, 'POST', '/settings/mail:test')

    test('a test letter goes to whoever asks, and the server’s words come back', async () => {
      expect((await test_()).status).toBe(409)
      const server = `smtp://relay@127.0.0.1:${mail.port}`
      const { raw } = await set({
        mail: { server, from: 'ID <id@x.example>', password: 'canary-mail' },
      })
      expect(raw).toContain('"passwordSet":true')
      await set({ mail: { server: `smtp://127.0.0.1:${mail.port}`, from: 'ID <id@x.example>' } })
      const { json } = await test_()
      expect(json).toMatchObject({
        to: demo.admin.email,
        sent: true,
        said: expect.stringMatching(/^250 /),
      })
      // Beside it, owners hear of the change itself.
      const subjects = mail.received.map(({ subject }) => subject)
      expect(subjects).toContain('Mail works')
      expect((await call('POST', '/settings/mail:test')).status).toBe(409)
      const told = (await auditLog()).raw + (await call('GET', '/settings')).raw
      expect(told + raw).not.toContain('canary-mail')
    })

    test('N19: not through a private address that the operator has not named', async () => {
      const port = await freePort()
      await set({ mail: { server: `smtp://localhost:${port}`, from: 'id@x.example' } })
      expect((await test_()).json).toMatchObject({ sent: false, said: 'the address is not public' })
      await set({ mail: null })
    })
  })

  describe('webhooks', () => {
    const url = (path = '/hook') => `http://localhost:${receiver.port}${path}`

    async function created(more: object = {}) {
      const { status, json } = await call('POST', '/webhooks', {
        ...{ name: 'The CRM', url: url(), events: ['user.*'] },
        ...more,
      })
      expect(status).toBe(201)
      return json as { id: string; secret: string }
    }

    const deliveries = async (id: string, query = '') =>
      (await call('GET', `/webhooks/${id}/deliveries${query}`)).json.data

    const arrived = (path: string, count = 1) =>
      expect.poll(() => receiver.at(path).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count)

    test('what happened arrives once, signed by the rules of Standard Webhooks, without secrets', async () => {
      const { id, secret } = await created({ url: url('/told') })
      expect(secret).toMatch(/^whsec_/)
      expect((await call('GET', `/webhooks/${id}`)).raw).not.toContain(secret)
      const email = `hook-${kind}@example.com`
      const user = (await call('POST', '/users', { name: 'Hooked', email })).json
      await arrived('/told')
      const [message] = receiver.at('/told')
      if (!message) throw new Error('nothing arrived')
      expect(verifies(secret, message)).toBe(true)
      expect(verifies(secret, { ...message, body: `${message.body} ` })).toBe(false)
      const said = JSON.parse(message.body)
      expect(said).toMatchObject({
        type: 'user.created',
        timestamp: expect.stringMatching(/Z$/),
        data: { result: 'success', target: { kind: 'user', id: user.id } },
      })
      await expect
        .poll(async () => (await deliveries(id))[0])
        .toMatchObject({
          id: message.headers['webhook-id'],
          ...{ event: 'user.created', state: 'delivered', status: 200, attempts: 1 },
        })
      await call('POST', '/spaces', { key: `told-${kind}`, name: 'Not told' })
      expect(await deliveries(id)).toHaveLength(1)
    })

    test('one that fails is tried again, and can be sent again under its id', async () => {
      const { id } = await created({ url: url('/sour'), events: ['nothing.at.all'] })
      await call('POST', `/webhooks/${id}/test`)
      await arrived('/sour')
      await expect
        .poll(async () => (await deliveries(id, '?state=waiting'))[0])
        .toMatchObject({
          ...{ event: 'webhook.test', status: 500, lastError: 'answered 500' },
        })
      receiver.sweeten()
      const [{ id: delivery }] = await deliveries(id)
      const resent = await call('POST', `/webhooks/${id}/deliveries/${delivery}/resend`)
      expect(resent.status).toBe(202)
      await expect
        .poll(async () => (await deliveries(id, '?state=delivered')).length, { timeout: 20_000 })
        .toBe(1)
      const ids = new Set(receiver.at('/sour').map(({ headers }) => headers['webhook-id']))
      expect([...ids]).toEqual([delivery])
      expect((await call('POST', `/webhooks/${id}/deliveries/msg_no/resend`)).status).toBe(404)
    })

    test('while a secret is rotated either of the two is good, afterwards only the new one', async () => {
      const { id, secret } = await created({ url: url('/turn'), events: ['nothing.at.all'] })
      const next = await call('POST', `/webhooks/${id}/rotation`, { overlapHours: 1 })
      await call('POST', `/webhooks/${id}/test`)
      await arrived('/turn')
      const both = receiver.at('/turn')[0]
      expect([secret, next.json.secret].map((one) => both && verifies(one, both))).toEqual([
        true,
        true,
      ])
      const last = await call('POST', `/webhooks/${id}/rotation`, { overlapHours: 0 })
      await call('POST', `/webhooks/${id}/test`)
      await arrived('/turn', 2)
      const one = receiver.at('/turn')[1]
      const secrets = [secret, next.json.secret, last.json.secret]
      expect(secrets.map((each) => one && verifies(each, one))).toEqual([false, false, true])
      const audit = await auditLog()
      for (const each of secrets) expect(audit.raw).not.toContain(each)
    })

    test.each([
      'https://127.0.0.1/x',
      'https://[::ffff:127.0.0.1]/',
      'https://0x7f.1/',
      'https://169.254.169.254/latest',
      'http://example.com/',
      'https://user:pass@example.com/',
      'javascript:alert(1)',
    ])('N19: %s is refused when it is saved', async (address) => {
      const body = { name: 'x', url: address, events: ['*'] }
      const answer = await call('POST', '/webhooks', body)
      expect([answer.status, answer.json.errors[0].pointer]).toEqual([400, '/url'])
    })

    test('N19: a name that leads into our network is refused when it is called, and no redirect is followed', async () => {
      const inside = await created({ url: 'https://localtest.me/x', events: ['nothing.at.all'] })
      const away = await created({ url: url('/away'), events: ['nothing.at.all'] })
      for (const { id } of [inside, away]) await call('POST', `/webhooks/${id}/test`)
      await expect
        .poll(async () => (await deliveries(inside.id))[0].lastError, { timeout: 15_000 })
        .toMatch(/not public|ENOTFOUND|EAI_AGAIN/)
      await expect.poll(async () => (await deliveries(away.id))[0].lastError).toBe('answered 302')
      expect(receiver.at('/trap')).toEqual([])
    })

    test('a disabled one hears nothing, a deleted one leaves nothing', async () => {
      const { id } = await created({ url: url('/quiet') })
      const path = `/webhooks/${id}`
      expect((await call('PATCH', path, { enabled: false })).status).toBe(428)
      await call('PATCH', path, { enabled: false }, await seen(path))
      await call('POST', '/users', { name: 'Q', email: `quiet-${kind}@example.com` })
      expect(await deliveries(id)).toEqual([])
      expect((await call('POST', `${path}/test`)).status).toBe(409)
      expect((await call('DELETE', path, undefined, await seen(path))).status).toBe(204)
      expect((await call('GET', `${path}/deliveries`)).status).toBe(404)
      expect(receiver.at('/quiet')).toEqual([])
    })
  })

  test('N5: an admin changes no role that they hold and gives themselves none; an owner may', async () => {
    const [alice] = demo.users
    const { json: people } = await call('GET', `/users?q=${alice?.email}`)
    const path = `/users/${people.data[0].id}`
    await callApi(portal, owner, 'PATCH', path, { adminRole: 'admin' }, await seen(path))
    const admin = await sessionOf(portal, alice)
    const { json: held } = await call('GET', `/spaces/demo/assignments?user=${people.data[0].id}`)
    const role = `/spaces/demo/roles/${held.data[0].role}`
    const tries = [
      ['PATCH', role, { name: 'Mine' }],
      ['DELETE', role, undefined],
      ['PUT', `${role}/permissions`, { permissions: [] }],
      ['PUT', `/users/${people.data[0].id}/roles/${held.data[0].role}`, undefined],
      ['PATCH', `/spaces/demo/assignments/${held.data[0].id}`, { validUntil: null }],
    ] as const
    for (const [method, at, body] of tries) {
      const version = at === role || at.includes('assignments') ? await seen(at) : await seen(role)
      const answer = await callApi(portal, admin, method, at, body, version)
      expect([method, at, answer.status]).toEqual([method, at, 403])
    }
    const { json: roles } = await call('GET', '/spaces/demo/roles')
    const other = await call('POST', '/spaces/demo/roles', { key: `free-${kind}`, name: 'Free' })
    expect(roles.data.length).toBeGreaterThan(0)
    const free = `/spaces/demo/roles/${other.json.id}`
    const fine = await callApi(portal, admin, 'PATCH', free, { name: 'Freer' }, await seen(free))
    expect(fine.status).toBe(200)
    const byOwner = await callApi(portal, owner, 'PATCH', role, { name: 'Clerk' }, await seen(role))
    expect(byOwner.status).toBe(200)
  })
})

// ---------------------------------------------------------------- configuration as code

const BRANDED = { version: 1, settings: { branding: { name: 'Example ID' } } }

function written(document: object): string {
  const file = join(temporaryFolder(), 'portal.json')
  writeFileSync(file, JSON.stringify(document))
  return file
}

function run(portal: Portal, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...portal.env } as unknown as NodeJS.ProcessEnv
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/commands.js', ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

describe('configuration as code', () => {
  const file = written(BRANDED)
  let portal: Portal

  beforeAll(async () => {
    portal = await startPortal({ env: { GATEHOUSE_CONFIG: file } })
  })

  afterAll(() => portal.stop())

  test('is applied at the start, before anybody is served', async () => {
    expect(portal.output()).toContain('~ settings branding: name "Gatehouse" -> "Example ID"')
    expect((await ask(portal.origin, { path: '/login' })).body).toContain('Example ID')
  })

  test('`apply` beside a running portal: once, then nothing to do; it knows within a second', async () => {
    expect(run(portal, 'apply', file)).toEqual({ status: 0, said: 'nothing to do\n' })
    const next = written({ version: 1, settings: { branding: { name: 'Other ID' } } })
    expect(run(portal, 'apply', next, '--dry-run').said).toContain('none made (--dry-run)')
    expect(run(portal, 'apply', next).said).toMatch(/^~ settings branding: .+\n1 change\n$/)
    expect(run(portal, 'apply', next).said).toBe('nothing to do\n')
    await expect
      .poll(async () => (await ask(portal.origin, { path: '/login' })).body, { timeout: 3_000 })
      .toContain('Other ID')
  })

  test('`export` writes what `apply` reads', () => {
    const out = written({})
    expect(run(portal, 'export', out).status).toBe(0)
    expect(JSON.parse(readFileSync(out, 'utf8')).settings.branding.name).toBe('Other ID')
    expect(run(portal, 'apply', out).said).toBe('nothing to do\n')
  })

  test('what is wrong is said in one line, and stops a start', async () => {
    const wrong = written({ version: 1, groups: [{ key: 'NO', name: 'x' }] })
    const { status, said } = run(portal, 'apply', wrong)
    expect([status, said]).toEqual([1, `${wrong}: group NO: /key: ${KEY_RULE}\n`])
    const stopped = await spawnPortal(['dist/server.js'], { GATEHOUSE_CONFIG: '/nowhere.json' })
    expect(await stopped.exited).toBe(1)
    expect(stopped.output()).toContain('/nowhere.json: cannot be read (ENOENT)')
  })
})

const KEY_RULE = 'lower-case letters, digits, dots, dashes; at most 63'

// ---------------------------------------------------------------- the receiver

type Arrived = { path: string; headers: IncomingHttpHeaders; body: string }
type Receiver = {
  port: number
  at(path: string): Arrived[]
  /** From now on `/sour` takes what it is given. */
  sweeten(): void
  close(): void
}

async function startReceiver(): Promise<Receiver> {
  const port = await freePort()
  const arrived: Arrived[] = []
  let sour = true
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const path = request.url ?? ''
    arrived.push({ path, headers: request.headers, body })
    if (path === '/away') response.writeHead(302, { location: `http://localhost:${port}/trap` })
    else response.writeHead(path === '/sour' && sour ? 500 : 200)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return {
    port,
    at: (path) => arrived.filter((one) => one.path === path),
    sweeten() {
      sour = false
    },
    close: () => server.close(),
  }
}

const TOLERANCE_SECONDS = 5 * 60

/** As the specification tells a receiver to: time, then any of the signatures in constant time. */
function verifies(secret: string, { headers, body }: Arrived): boolean {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((part) => part.split(','))
    .some(([version, signature = '']) => {
      const sent = Buffer.from(signature, 'base64')
      return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected)
    })
}
