import { describe, expect, test } from 'vitest'
import { locales } from '../../../lib/i18n/locales'
import { callApi, sessionOf } from '../../support/api'
import { askToken, machineFields } from '../../support/ask'
import { usually } from '../../support/databases'
import { freePort } from '../../support/postgres'
import {
  auditLog,
  call,
  demo,
  mail,
  owner,
  portal,
  seen,
  set,
  startSettings,
} from '../../support/settings'

describe.each(usually('sqlite'))('settings on %s', (kind) => {
  startSettings(kind)

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

    test('G8: so many token requests a minute, from the next one on', async () => {
      const many = (count: number) =>
        Promise.all(Array.from({ length: count }, () => askToken(portal.origin, wanted())))
      const wanted = () => machineFields(portal, { scope: 'orders:read' })
      await set({ security: { clientRequestsPerMinute: 6 } })
      expect((await many(4)).map(({ status }) => status)).toContain(429)
      await set({ security: { clientRequestsPerMinute: 6000 } })
      expect(new Set((await many(4)).map(({ status }) => status))).toEqual(new Set([200]))
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

    test('N9: their secret is never read back', async () => {
      const added = await put(acme)
      expect(added.json.providers).toMatchObject([
        { id: 'acme', source: 'settings', secretSet: true, usable: true },
      ])
      expect(added.json.providers[0].callback).toBe(`${portal.origin}/api/auth/callback/acme`)
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
      expect(subjects).toContain('Test mail')
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
