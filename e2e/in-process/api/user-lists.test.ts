import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_SCOPES, type ApiAnswer, callApi, machineToken, sessionOf } from '../../support/api'
import type { Fields } from '../../support/ask'
import { KINDS } from '../../support/databases'
import { type OpenPortal, openPortal } from '../../support/in-process'
import { OldBrowser } from '../../support/old-browser'

/** Users as those who manage them see them: in a table, from a file, many at once, and one by one. */

const ALICE = 'usr_demo_alice'

describe.each(KINDS)('users on %s', (kind) => {
  let portal: OpenPortal
  let token: string

  beforeAll(async () => {
    portal = await openPortal({ kind })
    token = await machineToken(portal, ADMIN_SCOPES)
  })
  afterAll(() => portal.stop())

  const call = (method: string, path: string, body?: unknown, headers?: Fields) =>
    callApi(portal, token, method, path, body, headers)
  const namesOf = ({ json }: ApiAnswer) =>
    json.data.map(({ name, email }: { name: string | null; email: string }) => name ?? email)

  describe('as a table', () => {
    const csv = [
      'name,email,username,enabled,attributes',
      'Zoe Zander,zoe@table.example,zoe,true,"{""branch"": ""Bern""}"',
      ',nameless1@table.example,,,',
      'Yan 王小明,yan@table.example,,false,',
      ',nameless2@table.example,,,',
      'Xenia 100%_sure,xenia@table.example,,,',
      'No Address,,,,',
      'Zoe Again,ZOE@table.example,,,',
      'Bad Mail,not-an-address,,,',
    ].join('\n')

    test('import says line by line what would happen, and then does it', async () => {
      const outcomes = ({ json }: ApiAnswer) =>
        json.data.map(({ outcome }: { outcome: string }) => outcome)
      const expected = [...Array(5).fill('created'), 'invalid', 'exists', 'invalid']
      const tried = await call('POST', '/users:import', { csv, dryRun: true })
      expect(outcomes(tried)).toEqual(expected)
      expect((await call('GET', '/users?q=zoe')).json.data).toEqual([])
      const done = await call('POST', '/users:import', { csv })
      expect(outcomes(done)).toEqual(expected)
      expect(done.json.created).toBe(5)
      const again = await call('POST', '/users:import', { csv })
      expect(again.json.created).toBe(0)
      const [zoe] = (await call('GET', '/users?q=zoe')).json.data
      expect(zoe).toMatchObject({ name: 'Zoe Zander', attributes: { branch: 'Bern' } })
      const logged = await call('GET', `/audit-events?targetId=${zoe.id}`)
      expect(logged.json.data[0]).toMatchObject({
        event: 'user.created',
        detail: { imported: true },
      })
    })

    test('an ID of one’s own: by the API and in a table, and never again after it was deleted', async () => {
      const chosen = { id: 'usr_ada', username: 'ada' }
      expect((await call('POST', '/users', chosen)).json).toMatchObject(chosen)
      const twice = await call('POST', '/users', { ...chosen, username: 'ada2' })
      expect([twice.status, twice.json.errors[0].pointer]).toEqual([409, '/id'])
      const table = 'id,username\nusr_bea,bea\nusr_ada,other\nusr_bea,twice\nbad,bad'
      const { json } = await call('POST', '/users:import', { csv: table })
      expect(json.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
        ...['created', 'exists', 'exists', 'invalid'],
      ])
      expect((await call('GET', '/users/bea')).json.id).toBe('usr_bea')
      await call('DELETE', '/users/usr_ada', undefined, { 'if-match': '*' })
      const again = await call('POST', '/users', chosen)
      expect([again.status, again.json.errors[0].pointer]).toEqual([400, '/id'])
      const row = await call('POST', '/users:import', { csv: 'id,username\nusr_ada,ada' })
      expect(row.json.data).toMatchObject([{ outcome: 'invalid' }])
      expect((await call('PATCH', '/users/bea', { id: 'usr_x' }, { 'if-match': '*' })).status).toBe(
        400,
      )
    })

    test('N1: who has an address is told to those who may read users, not to those who only write', async () => {
      const taken = { email: 'alice@gatehouse.example' }
      const told = (await call('POST', '/users', taken)).json.errors
      expect(told).toMatchObject([{ pointer: '/email', values: { name: 'Alice Clerk' } }])
      const writer = await machineToken(portal, 'users:write')
      const { status, raw } = await callApi(portal, writer, 'POST', '/users', taken)
      expect(status).toBe(409)
      expect(raw).not.toContain('Alice')
    })

    test.each(['ada', 'usr_', 'usr_a', 'app_chosen', 'usr_a b c', `usr_${'x'.repeat(61)}`])(
      'N26: %j is no ID for a user',
      async (id) => {
        const refused = await call('POST', '/users', { id, username: 'nobody-yet' })
        expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/id'])
      },
    )

    test.each([
      ['', /\/csv.+required/],
      ['name,passwordHash\nEve,x', /There is no column “passwordHash”/],
      ['name,email\n"Eve,eve@x.example', /Send a CSV table/],
    ])('N6: %j is refused', async (text, detail) => {
      const refused = await call('POST', '/users:import', { csv: text })
      expect(refused.status).toBe(400)
      expect(JSON.stringify(refused.json)).toMatch(detail)
    })

    test('N5: nobody imports an owner who is none', async () => {
      const owners = 'name,email,adminRole\nEve,eve@x.example,owner'
      expect((await call('POST', '/users:import', { csv: owners })).status).toBe(403)
    })

    test('found by how a word begins, taken literally', async () => {
      const found = async (q: string) =>
        namesOf(await call('GET', `/users?q=${encodeURIComponent(q)}`))
      expect(await found('zander')).toEqual(['Zoe Zander'])
      expect(await found('小明')).toEqual(['Yan 王小明'])
      expect(await found('zoe@table')).toEqual(['Zoe Zander'])
      expect(await found(ALICE)).toEqual(['Alice Clerk'])
      for (const q of ['%', '_', "' OR 1=1--", 'ander']) expect(await found(q)).toEqual([])
      expect(await found('100%_')).toEqual(['Xenia 100%_sure'])
    })

    test('400 for a search for what no database holds', async () => {
      expect((await call('GET', '/users?q=a%00b')).status).toBe(400)
    })

    test('another name is found at once, the old one no longer', async () => {
      const [{ id }] = (await call('GET', '/users?q=zander')).json.data
      await call('PATCH', `/users/${id}`, { name: 'Zoe Quill' }, { 'if-match': '*' })
      expect(namesOf(await call('GET', '/users?q=quill'))).toEqual(['Zoe Quill'])
      expect(namesOf(await call('GET', '/users?q=zander'))).toEqual([])
    })

    test.each(['name', '-name', 'email', '-createdAt', 'username', '-username'])(
      'sorted by %s, pages forth and back are the same pages',
      async (sort) => {
        const page = async (cursor: string | null) => {
          const at = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
          return (await call('GET', `/users?limit=2&sort=${sort}${at}`)).json
        }
        const whole = (await call('GET', `/users?limit=200&sort=${sort}`)).json.data
        const forth = [await page(null)]
        for (let last = forth[0]; last.page.next !== null; last = forth.at(-1)) {
          forth.push(await page(last.page.next))
        }
        expect(forth.flatMap(({ data }) => data)).toEqual(whole)
        const back = [forth.at(-1)]
        while (back[0].page.previous !== null) back.unshift(await page(back[0].page.previous))
        expect(back.map(({ data }) => data)).toEqual(forth.map(({ data }) => data))
        expect(forth[0].page.previous).toBeNull()
      },
    )

    test('N20: exported without formulas, and what goes out can come in again', async () => {
      await call('POST', '/users', { name: '=cmd|calc', email: 'formula@table.example' })
      const out = await call('GET', '/users:export?q=formula')
      expect(out.headers['content-disposition']).toBe('attachment; filename="users.csv"')
      expect(out.raw).toContain(",'=cmd|calc,formula@table.example")
      const again = await call('POST', '/users:import', { csv: out.raw, dryRun: true })
      expect(again.json.data).toMatchObject([{ outcome: 'exists' }])
      const all = await call('GET', '/users:export?format=json')
      expect(all.raw).not.toMatch(/hash|secret|password/i)
    })
  })

  describe('many at once', () => {
    const idsOf = async (...names: string[]) => {
      const users = await Promise.all(names.map((q) => call('GET', `/users?q=${q}`)))
      return users.map(({ json }) => json.data[0].id)
    }

    test('all of them, or none', async () => {
      const users = await idsOf('xenia', 'quill')
      const batch = (body: object) => call('POST', '/users:batch', body)
      const none = await batch({ do: 'disable', users: [...users, 'usr_nobody'] })
      expect(none.status).toBe(404)
      expect((await call('GET', `/users/${users[0]}`)).json.enabled).toBe(true)
      expect((await batch({ do: 'disable', users })).json).toEqual({ count: 2 })
      expect((await call('GET', `/users/${users[0]}`)).json.enabled).toBe(false)
      const logged = await call('GET', `/audit-events?targetId=${users[1]}&limit=1`)
      expect(logged.json.data[0]).toMatchObject({
        event: 'user.changed',
        detail: { before: { enabled: true }, after: { enabled: false } },
      })
      const group = (await call('POST', '/groups', { key: 'batch', name: 'Batch' })).json.id
      expect((await batch({ do: 'add_to_group', users })).status).toBe(400)
      expect((await batch({ do: 'add_to_group', users, group })).json).toEqual({ count: 2 })
      expect((await call('GET', `/users?group=${group}`)).json.data).toHaveLength(2)
      expect((await call('GET', `/users/${users[0]}/groups`)).json.data).toMatchObject([
        { id: group },
      ])
      await batch({ do: 'remove_from_group', users, group })
      expect((await call('GET', `/users?group=${group}`)).json.data).toEqual([])
      expect((await batch({ do: 'delete', users })).json).toEqual({ count: 2 })
      expect((await call('GET', `/users/${users[0]}`)).status).toBe(404)
      const erased = await call('GET', `/audit-events?targetId=${users[0]}&event=user.deleted`)
      expect(erased.json.data[0].detail.before).toMatchObject({ id: users[0], enabled: false })
    })

    test('N5: the last owner, oneself and those above stay', async () => {
      const owner = await sessionOf(portal, portal.demo().admin)
      const { id } = (await call('GET', '/users?adminRole=owner')).json.data[0]
      const by = (who: string | Fields, what: string) =>
        callApi(portal, who, 'POST', '/users:batch', { do: what, users: [id] })
      expect((await by(owner, 'disable')).status).toBe(409)
      expect((await by(token, 'delete')).status).toBe(403)
    })

    test('N5: an admin who is no owner puts nobody into a group who is themselves', async () => {
      const role = (adminRole: string | null) =>
        call('PATCH', `/users/${ALICE}`, { adminRole }, { 'if-match': '*' })
      expect((await role('admin')).status).toBe(200)
      const alice = await sessionOf(portal, portal.demo().users[0])
      const group = (await call('POST', '/groups', { key: 'own', name: 'Own' })).json.id
      const put = (user: string) =>
        callApi(portal, alice, 'POST', '/users:batch', { do: 'add_to_group', users: [user], group })
      expect((await put(ALICE)).status).toBe(403)
      expect((await put('usr_demo_bob')).status).toBe(200)
      expect((await role(null)).status).toBe(200)
      await call('DELETE', `/users/${ALICE}/sessions`)
    })
  })

  test('N4: who acts is never in the body', async () => {
    const body = { do: 'disable', users: [ALICE], userId: 'usr_demo_admin', adminRole: 'owner' }
    expect((await callApi(portal, {}, 'POST', '/users:batch', body)).status).toBe(401)
    const named = await call('POST', '/users:batch', body)
    expect(named.status).toBe(400)
    expect(named.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/userId',
      '/adminRole',
    ])
    expect((await call('GET', `/users/${ALICE}`)).json.enabled).toBe(true)
  })

  describe('one by one', () => {
    test('sessions, ways in and applications are seen, and can be ended', async () => {
      const [alice] = portal.demo().users
      if (!alice) throw new Error('no Alice')
      const browser = new OldBrowser(portal.origin)
      await browser.signIn(await browser.open('/login'), alice)
      const sessions = () => call('GET', `/users/${ALICE}/sessions`)
      const [{ id, ...seen }] = (await sessions()).json.data
      expect(Object.keys(seen).sort()).toEqual([
        'createdAt',
        'ip',
        'lastSeenAt',
        'place',
        'userAgent',
      ])
      expect((await call('DELETE', `/users/usr_demo_bob/sessions/${id}`)).status).toBe(404)
      expect((await call('DELETE', `/users/${ALICE}/sessions/${id}`)).status).toBe(204)
      expect((await sessions()).json.data).toEqual([])
      const headers = new Headers({ cookie: browser.cookieHeader() })
      expect(await portal.op.sessionOf({ headers })).toBeNull()
      expect((await call('GET', `/users/${ALICE}/factors`)).json).toEqual({
        password: true,
        recoveryCodes: 0,
        data: [],
      })
      expect((await call('DELETE', `/users/${ALICE}/factors/nothing`)).status).toBe(404)
      expect((await call('GET', `/users/${ALICE}/applications`)).json.data).toEqual([])
      expect((await call('DELETE', `/users/${ALICE}/applications/app_demo_web`)).status).toBe(404)
      expect((await call('DELETE', `/users/${ALICE}/sessions`)).status).toBe(204)
    })

    test('a reset is a letter to them, and no link for anybody else', async () => {
      const sent = await call('POST', `/users/${ALICE}/password-reset`, {})
      expect(sent.status).toBe(202)
      expect(sent.json).toEqual({ to: 'alice@gatehouse.example' })
    })

    test('roles of every space, with where they come from', async () => {
      const roles = (await call('GET', `/users/${ALICE}/roles`)).json.data
      expect(roles).toMatchObject([{ key: 'clerk', group: null, effect: 'allow' }])
      expect((await call('GET', '/roles?q=clerk')).json.data).toMatchObject([{ key: 'clerk' }])
    })
  })
})
