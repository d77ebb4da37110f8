import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Demo } from '../../../lib/operations/demo'
import type { Database } from '../../../lib/store/database/database'
import { callApi, machineToken, sessionOf } from '../../support/api'
import { ask, askToken, type Fields, machineFields } from '../../support/ask'
import { usually } from '../../support/databases'
import { type OpenPortal, openPortal } from '../../support/in-process'

/** Signing keys, the audit log, reports and health: what admins see of the portal itself. */

describe.each(usually('sqlite'))('/api/v1 records on %s', (kind) => {
  let portal: OpenPortal
  let demo: Demo
  let db: Database
  let token: string
  let owner: Fields

  beforeAll(async () => {
    portal = await openPortal({ kind })
    db = portal.op.db
    demo = portal.demo()
    token = await machineToken(portal)
    owner = await sessionOf(portal, demo.admin)
  })

  afterAll(() => portal.stop())

  const call = (method: string, path: string, body?: unknown, who: string | Fields = token) =>
    callApi(portal, who, method, path, body)

  async function read(path: string, who: string | Fields = token) {
    const answer = await call('GET', path, undefined, who)
    expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
    return answer.json
  }

  const issued = (fields: Fields) => askToken(portal.origin, machineFields(portal, fields))

  // ---------------------------------------------------------------- last use

  describe('last use', () => {
    const secretsPath = '/applications/app_demo_machine/secrets'

    test('of a secret and of an access key, with the address; no new policy version', async () => {
      const { machine } = demo
      const version = async () =>
        (await call('GET', '/spaces')).headers['x-policy-version'] ?? 'none'
      const before = await version()
      const used = await askToken(portal.origin, {
        grant_type: 'client_credentials',
        client_id: machine.access_key,
        client_secret: machine.secret_key,
        scope: 'orders:read',
      })
      expect(used.status).toBe(200)
      const keyPath = `/applications/app_demo_machine/keys/${machine.access_key}`
      const around = {
        lastUsedAt: expect.any(String),
        lastUsedIp: expect.stringMatching(/^(::|1)/),
      }
      await portal.op.settled()
      expect(await read(keyPath)).toMatchObject(around)
      const [secret] = (await read(secretsPath)).data
      expect(secret).toMatchObject(around)
      expect(Date.now() - Date.parse(secret.lastUsedAt)).toBeLessThan(60_000)
      expect(await version()).toBe(before)
    })

    test('a wrong secret is no use, and an unused one says so', async () => {
      const created = await call('POST', secretsPath, { name: 'never used' })
      await issued({ client_secret: `${created.json.secret}x`, scope: 'orders:read' })
      await issued({ scope: 'orders:read' })
      const { data } = await read(`${secretsPath}?q=never`)
      expect(data).toMatchObject([{ lastUsedAt: null, lastUsedIp: null }])
    })
  })

  // ---------------------------------------------------------------- signing keys

  describe('signing keys', () => {
    const kidNow = async () => {
      const { body } = await issued({ scope: 'orders:read' })
      return decodeProtectedHeader(JSON.parse(body).access_token).kid ?? ''
    }
    const published = async () => {
      const { body } = await ask(portal.origin, { path: '/oidc/.well-known/jwks.json' })
      return JSON.parse(body).keys.map(({ kid }: { kid: string }) => kid)
    }
    const keyOf = async (kid: string) =>
      (await read('/signing-keys')).data.find((key: { kid: string }) => key.kid === kid)

    test('N9: are listed with their schedule, and nothing of their private half', async () => {
      const { raw, json } = await call('GET', '/signing-keys')
      expect(raw).not.toMatch(/private|sealed|"d"|encrypted/i)
      const kid = await kidNow()
      const shown = json.data.find((key: { kid: string }) => key.kid === kid)
      expect(shown).toMatchObject({ alg: 'ES256', state: 'active', ageDays: 0, retiredAt: null })
      const [es256] = json.schedule
      expect(es256).toMatchObject({ alg: 'ES256', active: kid, staged: null })
      const days = (Date.parse(es256.stagesAt) - Date.parse(shown.activatesAt)) / 86_400_000
      expect(days).toBe(json.rotateAfterDays)
    })

    test('staged, then rotated: 409 too early, 200 at once; the log says who', async () => {
      const before = await kidNow()
      expect((await call('POST', '/signing-keys:rotate', { alg: 'ES256' })).status).toBe(409)
      const staged = await call('POST', '/signing-keys', { alg: 'ES256' }, owner)
      expect([staged.status, staged.json.state]).toEqual([201, 'staged'])
      const { kid } = staged.json
      expect(await published()).toContain(kid)
      expect((await call('POST', '/signing-keys', { alg: 'ES256' })).status).toBe(409)
      const early = await call('POST', '/signing-keys:rotate', { alg: 'ES256' })
      expect([early.status, early.json.activatesAt]).toEqual([409, staged.json.activatesAt])
      expect(await kidNow()).toBe(before)
      const rotated = await call('POST', '/signing-keys:rotate', { alg: 'ES256', atOnce: true })
      expect(rotated.json).toMatchObject({ kid, state: 'active' })
      expect(await kidNow()).toBe(kid)
      expect(await keyOf(before)).toMatchObject({ state: 'retiring' })
      expect(await published()).toContain(before)
      const { data } = await read(`/audit-events?targetId=${kid}&targetKind=signing_key`)
      expect(data).toMatchObject([
        { event: 'key.active', actorKind: 'client', detail: { alg: 'ES256', replaces: before } },
        {
          event: 'key.staged',
          actorKind: 'user',
          actorId: 'usr_demo_admin',
          ip: expect.any(String),
        },
      ])
    })

    test('revoked: the consequences before, a new key and no belief after', async () => {
      const kid = await kidNow()
      const old = await machineToken(portal, 'signing-keys:read')
      await portal.op.settled()
      const preview = await read(`/signing-keys/${kid}/revoke`)
      expect(preview.tokens.count).toBeGreaterThan(0)
      expect(preview).toMatchObject({
        key: { kid, state: 'active' },
        warns: true,
        consequences: expect.arrayContaining([
          'tokens_disbelieved',
          'new_key_at_once',
          'key_not_seen_yet',
        ]),
      })
      expect(preview.applications).toContainEqual({
        id: 'app_demo_machine',
        name: expect.any(String),
      })
      expect((await keyOf(kid)).state).toBe('active')
      const revoked = await call('POST', `/signing-keys/${kid}/revoke`, undefined, owner)
      expect([revoked.status, revoked.json.key.state]).toEqual([200, 'revoked'])
      expect(await published()).not.toContain(kid)
      const gone = await call('GET', '/signing-keys', undefined, old)
      expect([gone.status, gone.json.code]).toEqual([401, 'invalid_token'])
      token = await machineToken(portal)
      expect(await kidNow()).not.toBe(kid)
      expect((await call('POST', `/signing-keys/${kid}/revoke`)).status).toBe(409)
      const { data } = await read(`/audit-events?targetId=${kid}&event=key.revoked`)
      expect(data).toMatchObject([
        { actorKind: 'user', actorId: 'usr_demo_admin', detail: { before: { state: 'active' } } },
      ])
    })

    test('404 for a key that nobody knows, 400 for strange words', async () => {
      expect((await call('GET', '/signing-keys/nobody/revoke')).status).toBe(404)
      expect((await call('POST', '/signing-keys/nobody/revoke')).status).toBe(404)
      for (const body of [{}, { alg: 'none' }, { alg: 'ES256', kid: 'mine' }]) {
        expect((await call('POST', '/signing-keys', body)).status).toBe(400)
      }
    })
  })

  // ---------------------------------------------------------------- the audit log

  describe('the audit log', () => {
    const events = (json: { data: { event: string }[] }) => json.data.map(({ event }) => event)

    test('is filtered by kind of event, actor, target and address', async () => {
      const keys = await read('/audit-events?event=key.*&limit=200')
      expect(new Set(events(keys))).toEqual(new Set(['key.active', 'key.staged', 'key.revoked']))
      expect((await read('/audit-events?event=ke*')).data).toEqual([])
      expect((await read('/audit-events?event=*')).data).toEqual([])
      const people = await read('/audit-events?actorKind=user&limit=200')
      expect(people.data.every((one: { actorKind: string }) => one.actorKind === 'user')).toBe(true)
      expect(events(people)).toContain('login.succeeded')
      const [entry] = people.data
      const there = await read(`/audit-events?ip=${encodeURIComponent(entry.ip)}&limit=1`)
      expect(there.data).toHaveLength(1)
      expect((await read('/audit-events?ip=203.0.113.9')).data).toEqual([])
      expect((await call('GET', '/audit-events?actorKind=robot')).status).toBe(400)
    })

    test('several events of one kind are one list, page by page in both directions', async () => {
      const all = await read('/audit-events?event=key.*&limit=200&count=true')
      const seqs = all.data.map((one: { seq: number }) => one.seq)
      expect(seqs).toEqual([...seqs].sort((a, b) => b - a))
      expect(all.page.total).toBe(seqs.length)
      const first = await read('/audit-events?event=key.*&limit=2')
      const second = await read(`/audit-events?event=key.*&limit=2&cursor=${first.page.next}`)
      const walked = [...first.data, ...second.data].map((one) => one.seq)
      expect(walked).toEqual(seqs.slice(0, 4))
      const back = await read(`/audit-events?event=key.*&limit=2&cursor=${second.page.previous}`)
      expect(back.data).toEqual(first.data)
      const oldest = await read('/audit-events?event=key.*&limit=200&sort=seq')
      expect(oldest.data).toEqual([...all.data].reverse())
    })

    test('N2: names stand beside ids only for those who may see whose they are', async () => {
      const seen = await read('/audit-events?actorId=usr_demo_admin&include=names&limit=1')
      expect(seen.names.usr_demo_admin).toBe('Ada Admin')
      const one = await read(`/audit-events/${seen.data[0].id}?include=names`)
      expect(one.names.usr_demo_admin).toBe('Ada Admin')
      const machine = await read('/audit-events?actorKind=client&include=names&limit=1')
      expect(machine.names.app_demo_machine).toBe('Demo machine')
      const narrow = await machineToken(portal, 'audit:read')
      const ids = await read('/audit-events?actorId=usr_demo_admin&include=names', narrow)
      expect(ids.names).toEqual({})
      expect((await read('/audit-events?limit=1')).names).toBeUndefined()
    })

    test('is followed from an entry on', async () => {
      const [newest] = (await read('/audit-events?limit=1')).data
      await call('POST', '/groups', { key: `followed-${kind}`, name: 'Followed' })
      const { data } = await read(`/audit-events?after=${newest.seq}&event=group.*`)
      expect(data).toMatchObject([{ event: 'group.created' }])
      expect((await call('GET', '/audit-events?after=x')).status).toBe(400)
    })

    test('N20: is taken home as a table without formulas, and line by line', async () => {
      const name = '=HYPERLINK("https://evil.test","hi")'
      await call('POST', '/groups', { key: `formula-${kind}`, name })
      await issued({ grant_type: '@SUM(A1)', scope: 'orders:read' })
      const table = await call('GET', '/audit-events:export?event=group.created')
      expect(table.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': expect.stringMatching(/^attachment; filename="audit-[\d-]+\.csv"$/),
        'x-complete': 'true',
      })
      const [header, ...rows] = table.raw.trimEnd().split('\r\n')
      expect(header).toMatch(/^seq,at,event,result,actorKind,/)
      expect(rows.length).toBeGreaterThan(1)
      for (const row of rows) expect(row).not.toMatch(/(^|,)"?[=+\-@]/)
      const lines = await call('GET', '/audit-events:export?event=group.created&format=ndjson')
      const entries = lines.raw.trimEnd().split('\n')
      expect(entries.map((line) => JSON.parse(line))).toEqual(
        (await read('/audit-events?event=group.created')).data,
      )
      expect((await call('GET', '/audit-events:export?format=xml')).status).toBe(400)
    })

    test('views are kept by a person for themselves, and a client has none', async () => {
      const body = { name: 'Failures', query: 'result=failure&event=login.*' }
      expect((await call('POST', '/audit-views', body)).status).toBe(403)
      expect((await call('GET', '/audit-views')).status).toBe(403)
      const { status, json } = await call('POST', '/audit-views', body, owner)
      expect([status, json.name]).toEqual([201, 'Failures'])
      expect(Object.fromEntries(new URLSearchParams(json.query))).toEqual({
        event: 'login.*',
        result: 'failure',
      })
      expect((await call('POST', '/audit-views', body, owner)).status).toBe(409)
      for (const query of ['cursor=x', 'event=a&evil=1', 'from=yesterday', 'actorKind=robot']) {
        expect((await call('POST', '/audit-views', { name: 'x', query }, owner)).status).toBe(400)
      }
      expect((await read('/audit-views', owner)).data).toEqual([json])
      // N2: somebody else's is not there.
      await db.user.update({ where: { id: 'usr_demo_bob' }, data: { adminRole: 'auditor' } })
      const bob = await sessionOf(portal, demo.users[1])
      expect((await read('/audit-views', bob)).data).toEqual([])
      expect((await call('DELETE', `/audit-views/${json.id}`, undefined, bob)).status).toBe(404)
      expect((await call('DELETE', `/audit-views/${json.id}`, undefined, owner)).status).toBe(204)
      expect((await read('/audit-views', owner)).data).toEqual([])
    })
  })

  // ---------------------------------------------------------------- reports

  test('activity: sign-ins, tokens by grant, refusals by reason, the busiest apps', async () => {
    await issued({ scope: 'orders:read nobody:knows' })
    await issued({ scope: 'nobody:knows' })
    await portal.op.settled()
    expect((await read('/audit-events?event=token.refused')).data[0]).toMatchObject({
      detail: { scope_rejected: 'nobody:knows' },
    })
    const { days, topApplications, since } = await read('/reports/activity?days=7')
    expect(days.map(({ day }: { day: string }) => day)[0]).toBe(since.slice(0, 10))
    expect(days).toHaveLength(7)
    const today = days.at(-1)
    expect(today.signIns).toBe((await counted('login.succeeded')).length)
    expect(today.tokensByGrant.client_credentials).toBe(today.tokens)
    expect(today.tokens).toBe((await counted('token.issued')).length)
    expect(today.refusedRequests).toBe((await counted('token.refused')).length)
    expect(today.refusedScopes.unknown_scope).toBeGreaterThanOrEqual(2)
    expect(topApplications[0]).toMatchObject({ id: 'app_demo_machine', tokens: today.tokens })
    expect((await call('GET', '/reports/activity?days=0')).status).toBe(400)
    expect((await call('GET', '/reports/activity?days=91')).status).toBe(400)
  })

  const counted = (event: string) => db.auditEntry.findMany({ where: { event } })

  test('N25: health says what is wrong, how to mend it, and no secret', async () => {
    const { raw, json } = await call('GET', '/health')
    const states = Object.fromEntries(
      json.data.map(({ check, state }: { check: string; state: string }) => [check, state]),
    )
    expect(states).toEqual({
      issuer: 'warn',
      cookies: 'warn',
      database: 'ok',
      clock: 'ok',
      migrations: 'ok',
      mail: 'warn',
      outbox: 'ok',
      keys: 'ok',
      callers: 'ok',
      applications: 'warn',
    })
    for (const { state, mend } of json.data) expect(mend === null).toBe(state === 'ok')
    expect(raw).not.toContain(portal.env.GATEHOUSE_SECRET)
    expect(raw).not.toContain(portal.env.DATABASE_URL)
  })

  // ---------------------------------------------------------------- the chain; last, as it breaks

  describe('N21: the chain', () => {
    test('is whole', async () => {
      const { state, checked, broken } = await read('/audit-events:verify')
      expect([state, broken]).toEqual(['whole', null])
      expect(checked).toBeGreaterThan(10)
    })

    test('no route and no SQL changes it', async () => {
      const { id } = (await read('/audit-events?limit=1')).data[0]
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect((await call(method, `/audit-events/${id}`)).status).toBe(405)
      }
      await expect(db.$executeRaw`UPDATE "AuditEntry" SET "event" = 'x'`).rejects.toThrow()
      await expect(db.$executeRaw`DELETE FROM "AuditEntry"`).rejects.toThrow()
    })

    test('an entry that was changed behind the triggers is found, and so is a missing one', async () => {
      await withoutTriggers()
      const first = await db.auditEntry.findFirstOrThrow({ where: { seq: 5n } })
      await db.auditEntry.updateMany({ where: { seq: 5n }, data: { actorId: 'somebody else' } })
      const changed = await read('/audit-events:verify')
      expect(changed).toMatchObject({ state: 'broken', checked: 4, upTo: '4' })
      expect(changed.broken).toEqual({ seq: '5', why: 'changed' })
      await db.auditEntry.updateMany({ where: { seq: 5n }, data: { actorId: first.actorId } })
      expect((await read('/audit-events:verify')).state).toBe('whole')
      await db.auditEntry.deleteMany({ where: { seq: 7n } })
      const { broken } = await read('/audit-events:verify')
      expect(broken).toEqual({ seq: '7', why: 'missing' })
      expect((await read('/audit-events:verify?after=8')).state).toBe('whole')
      const { seq } = await db.auditHead.findFirstOrThrow()
      await db.auditEntry.deleteMany({ where: { seq } })
      expect((await read('/audit-events:verify?after=8')).broken).toEqual({
        seq: String(seq),
        why: 'cut',
      })
    })

    async function withoutTriggers(): Promise<void> {
      if (kind === 'postgres') {
        await db.$executeRaw`DROP TRIGGER "AuditEntry_refuse_change" ON "AuditEntry"`
        return
      }
      await db.$executeRaw`DROP TRIGGER "AuditEntry_refuse_update"`
      await db.$executeRaw`DROP TRIGGER "AuditEntry_refuse_delete"`
    }
  })
})
