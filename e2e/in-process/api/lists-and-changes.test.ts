import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiAnswer } from '../../support/api'
import {
  call,
  created,
  demo,
  machine,
  pointers,
  read,
  startApi,
  unique,
} from '../../support/api-objects'
import { usually } from '../../support/databases'

describe.each(usually('sqlite'))('lists, If-Match and Idempotency-Key on %s', (kind) => {
  startApi(kind)

  describe('If-Match', () => {
    test.each([
      ['PATCH', '/applications/app_demo_web', { name: 'X' }],
      ['DELETE', '/applications/app_demo_web', undefined],
      ['PUT', '/applications/app_demo_web/grants', { grants: [] }],
      ['PATCH', '/users/usr_demo_alice', { name: 'X' }],
      ['DELETE', '/users/usr_demo_alice', undefined],
    ])(
      '%s %s: 428 without one, 412 with an old one, which says what is there',
      async (method, path, body) => {
        expect((await call(method, path, body)).status).toBe(428)
        const stale = await call(method, path, body, { 'if-match': '"0"' })
        expect(stale.status).toBe(412)
        const now = await read(path)
        expect(stale.json.current).toEqual(now.json)
        expect(stale.headers.etag).toBe(now.headers.etag)
      },
    )

    test('of two changes with the same version one wins', async () => {
      const { id } = await machine()
      const seen = { 'if-match': (await read(`/applications/${id}`)).headers.etag ?? '' }
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((name) => call('PATCH', `/applications/${id}`, { name }, seen)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    })
  })

  describe('Idempotency-Key', () => {
    test('the same request gets the same answer, the secret too; another one 422', async () => {
      const body = { kind: 'machine', name: unique('once') }
      const key = { 'idempotency-key': unique('key') }
      const first = await call('POST', '/applications', body, key)
      const again = await call('POST', '/applications', body, key)
      expect([first.status, again.status]).toEqual([201, 201])
      expect(again.json).toEqual(first.json)
      expect(again.headers['idempotency-replayed']).toBe('true')
      expect((await read(`/applications?q=${body.name}&count=true`)).json.page.total).toBe(1)
      const other = await call('POST', '/applications', { ...body, name: 'other' }, key)
      expect([other.status, other.json.code]).toEqual([422, 'key_reused'])
    })

    test('a refusal is repeated as one', async () => {
      const key = { 'idempotency-key': unique('key') }
      const body = { name: 'Two', email: demo.admin.email }
      for (const _again of [1, 2])
        expect((await call('POST', '/users', body, key)).status).toBe(409)
    })
  })

  describe('lists', () => {
    const NAMES = ['100% cotton', 'a_b', 'axb', '100 percent', "O'Hara", 'back\\slash']

    beforeAll(async () => {
      for (const [at, name] of NAMES.entries()) {
        const username = unique('list')
        await created('/users', {
          username,
          name,
          ...(at % 2 && { email: `${username}@list.example` }),
        })
      }
    })

    const found = async (q: string) => {
      const { json } = await read(`/users?count=true&sort=name&q=${encodeURIComponent(q)}`)
      expect(json.page.total).toBe(json.data.length)
      return json.data.map(({ name }: { name: string }) => name)
    }

    test('N14, N15: what is searched for is meant literally, and so is the count', async () => {
      expect(await found('100%')).toEqual(['100% cotton'])
      expect(await found('A_B')).toEqual(['a_b'])
      expect(await found('back\\')).toEqual(['back\\slash'])
      for (const wild of ['%', '_', '\\', '1_0', 'a%b']) expect(await found(wild)).toEqual([])
      expect(await found("o'h")).toEqual(["O'Hara"])
      expect(await found("' OR 1=1--")).toEqual([])
      expect(await found('%'.repeat(200))).toEqual([])
      expect((await call('GET', `/users?q=${'%25'.repeat(1_000)}`)).status).toBe(400)
    })

    test.each([
      'createdAt',
      '-createdAt',
      'name',
      '-name',
      'email',
      '-email',
      'username',
      '-updatedAt',
    ])('by pages of two, by %s: everybody once, in one order', async (sort) => {
      const whole = (await read(`/users?limit=200&sort=${sort}`)).json
      expect(whole.page.next).toBeNull()
      const ids: string[] = []
      let cursor: string | null = ''
      while (cursor !== null && ids.length <= whole.data.length) {
        const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const { json }: ApiAnswer = await read(`/users?limit=2&sort=${sort}${more}`)
        expect(json.data.length).toBeLessThanOrEqual(2)
        ids.push(...json.data.map(({ id }: { id: string }) => id))
        cursor = json.page.next
      }
      expect(ids).toEqual(whole.data.map(({ id }: { id: string }) => id))
    })

    test('N16: a cursor that we did not write, or wrote for another list', async () => {
      const { next } = (await read('/users?limit=1')).json.page
      const [text, signature] = next.split('.')
      const forged = Buffer.from('{"value":"2020-01-01T00:00:00.000Z","id":"a"}').toString(
        'base64url',
      )
      const wrong = ['x', '.', `${forged}.${signature}`, `${text}.`, `${text}.${'A'.repeat(43)}`]
      for (const cursor of wrong) {
        const answer = await call('GET', `/users?limit=1&cursor=${encodeURIComponent(cursor)}`)
        expect([answer.status, pointers(answer)]).toEqual([400, ['/query/cursor']])
      }
      for (const path of [
        '/users?limit=1&sort=name',
        '/users?limit=1&q=a',
        '/applications?limit=1',
      ]) {
        expect((await call('GET', `${path}&cursor=${encodeURIComponent(next)}`)).status).toBe(400)
      }
    })

    test.each([
      'limit=1e9',
      'limit=0',
      'limit=-1',
      'limit=201',
      'limit=x',
      'limit=1.5',
      'count=yes',
    ])('400 for %s', async (query) => {
      for (const path of ['/users', '/applications', '/groups', '/audit-events']) {
        expect((await call('GET', `${path}?${query}`)).status).toBe(400)
      }
    })

    test('400 for a parameter that is not known, or there twice', async () => {
      for (const path of ['/users', '/applications', '/groups', '/audit-events']) {
        const answer = await call('GET', `${path}?colour=red`)
        expect([answer.status, pointers(answer)]).toEqual([400, ['/query/colour']])
        expect((await call('GET', `${path}?limit=1&limit=2`)).status).toBe(400)
      }
      expect((await call('GET', '/users/usr_demo_alice?x=1')).status).toBe(400)
    })

    test('filters are exact', async () => {
      const owners = (await read('/users?adminRole=owner')).json.data
      expect(owners.map(({ id }: { id: string }) => id)).toEqual(['usr_demo_admin'])
      const spas = (await read('/applications?kind=spa&space=spc_demo&enabled=true')).json.data
      expect(spas.map(({ id }: { id: string }) => id)).toEqual(['app_demo_spa'])
      expect((await read('/applications?space=spc')).json.data).toEqual([])
    })
  })

  test('N9: no answer of a GET has a secret, a hash or a key in it', async () => {
    const app = await machine()
    const key = await created(`/applications/${app.id}/keys`, { name: 'k' })
    const paths = [
      '/applications?limit=200',
      ...['', '/secrets', '/keys', '/grants'].map((path) => `/applications/${app.id}${path}`),
      `/applications/${app.id}/keys/${key.accessKey}`,
      ...['', '/secrets', '/keys', '/grants'].map(
        (path) => `/applications/app_demo_machine${path}`,
      ),
      ...['/users?limit=200', '/users/usr_demo_admin', '/groups', '/audit-events?limit=200'],
    ]
    const known = [app.secret, key.secretKey, demo.machine.client_secret, demo.machine.secret_key]
    known.push(demo.admin.password, demo.web.client_secret)
    for (const path of paths) {
      const { raw } = await read(path)
      for (const secret of known) expect(raw).not.toContain(secret)
      expect(raw).not.toMatch(/gh(cs|sk|ss|lk|rt|ac|br)_|\$argon2/)
      expect(raw).not.toMatch(/"[^"]*(hash|password|private|secret)[^"]*":/i)
    }
  })
})
