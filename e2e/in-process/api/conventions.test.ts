import { describe, expect, test } from 'vitest'
import { routes } from '../../../lib/api/table'
import { ask } from '../../support/ask'
import { usually } from '../../support/databases'
import { ALICE, api, portal, startPermissionApi, token } from '../../support/permission-api'

describe.each(usually('sqlite'))('conventions of the API on %s', (kind) => {
  startPermissionApi(kind)

  describe('manners', () => {
    test('lists: pages, search, sort, count; a forged cursor and strange parameters are 400', async () => {
      for (const key of ['list-a', 'list-b', 'list-c']) {
        await api('POST', '/spaces', { key, name: `100%_${key}` })
      }
      const first = (await api('GET', '/spaces?q=list-&limit=2&count=true')).json as never as {
        data: { key: string }[]
        page: { next: string; total: number }
      }
      expect(first.data.map(({ key }) => key)).toEqual(['list-a', 'list-b'])
      const next = encodeURIComponent(first.page.next)
      const second = (await api('GET', `/spaces?q=list-&limit=2&cursor=${next}`)).json
      expect(second.data).toMatchObject([{ key: 'list-c' }])
      const down = (await api('GET', '/spaces?q=list-&sort=-key')).json
      expect((down.data as { key: string }[]).map(({ key }) => key)).toEqual([
        'list-c',
        'list-b',
        'list-a',
      ])
      // N15: a percent sign is a percent sign.
      expect(
        (await api('GET', `/spaces?q=${encodeURIComponent('100%_l')}`)).json.data,
      ).toHaveLength(3)
      expect((await api('GET', `/spaces?q=${encodeURIComponent('1%_list')}`)).json.data).toEqual([])
      for (const query of [
        'cursor=forged',
        `cursor=${next}x`,
        `sort=-key&cursor=${next}`,
        'limit=0',
        'limit=1000000000',
        'limit=-1',
        'sort=passwordHash',
        'filter[not]=x',
        'select=secret',
        'limit=1&limit=2',
      ]) {
        expect([query, (await api('GET', `/spaces?${query}`)).status]).toEqual([query, 400])
      }
    })

    test('a header outside its enum is 400, on AuthZEN paths too', async () => {
      for (const consistency of ['lower', 'Higher', 'higher,lower']) {
        const { status, headers, json } = await api('GET', '/spaces', undefined, { consistency })
        expect([status, headers['content-type'], json.code, json.errors[0].pointer]).toEqual([
          400,
          'application/problem+json',
          'invalid',
          '/headers/Consistency',
        ])
        const evaluation = await ask(portal.origin, {
          method: 'POST',
          path: '/access/v1/evaluation',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            consistency,
          },
          body: JSON.stringify({
            subject: { type: 'user', id: ALICE },
            action: { name: 'orders:read' },
            resource: { type: 'orders', id: '1' },
          }),
        })
        expect([consistency, evaluation.status]).toEqual([consistency, 400])
      }
      expect((await api('GET', '/spaces', undefined, { consistency: 'higher' })).status).toBe(200)
    })

    test('an empty parameter is no filter, in every list; an unknown one is still refused', async () => {
      const lists = routes.filter(({ method, query }) => method === 'GET' && query?.shape.limit)
      expect(lists.length).toBeGreaterThan(20)
      const [{ id: resource }] = (await api('GET', '/spaces/demo/resources')).json.data
      const [{ id: role }] = (await api('GET', '/roles')).json.data
      const group = (await api('POST', '/groups', { key: 'empty', name: 'Empty' })).json.id
      const hook = { name: 'Empty', url: 'https://hook.example', events: ['*'] }
      const webhook = (await api('POST', '/webhooks', hook)).json.id
      const asked = {
        name: 'Empty',
        over: { type: 'user', id: 'usr_demo_alice' },
        reviewers: [{ type: 'user', id: 'usr_demo_bob' }],
        deadline: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString(),
      }
      const review = (await api('POST', '/reviews', asked)).json.id
      const known: Record<string, string> = { space: 'demo', role, group, webhook, review }
      for (const { path, query, id } of lists) {
        const own = path.startsWith('/resources') ? resource : portal.demo().machine.client_id
        const address = path.replace(/\{(\w+)\}/g, (_all, name) => known[name] ?? own)
        const given = Object.entries(query?.shape ?? {}).filter(([, one]) => one.isOptional())
        const empty = new URLSearchParams(given.map(([name]) => [name, '']))
        const needed = query?.shape.q && !given.some(([name]) => name === 'q') ? 'q=a&' : ''
        const [plain, filtered] = [
          await api('GET', `${address}?${needed}`),
          await api('GET', `${address}?${needed}${empty}`),
        ]
        expect([id, filtered.status, filtered.json.errors]).toEqual([id, 200, undefined])
        // The log grows by itself.
        if (id !== 'listAuditEvents') expect(filtered.json).toEqual(plain.json)
        expect([id, (await api('GET', `${address}?nonsense=`)).status]).toEqual([id, 400])
      }
    })

    test('If-Match: absent 428, stale 412 with what is there now, right 200', async () => {
      const path = '/spaces/list-a'
      const change = (headers = {}) => api('PATCH', path, { name: 'Renamed' }, headers)
      expect((await change()).status).toBe(428)
      const stale = await change({ 'if-match': '"99"' })
      expect([stale.status, stale.json.current]).toMatchObject([412, { key: 'list-a' }])
      const done = await change({ 'if-match': '"1"' })
      expect([done.status, done.headers.etag, done.json.name]).toEqual([200, '"2"', 'Renamed'])
      expect((await api('DELETE', path, undefined, { 'if-match': '"1"' })).status).toBe(412)
      expect((await api('DELETE', path, undefined, { 'if-match': '"2"' })).status).toBe(204)
    })

    test('Idempotency-Key: done once; another body is 422', async () => {
      const key = { 'idempotency-key': `k-${kind}` }
      const body = { key: 'once', name: 'Once' }
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => api('POST', '/spaces', body, key)),
      )
      const made = answers.filter(({ status }) => status === 201)
      expect(made.length + answers.filter(({ status }) => status === 409).length).toBe(10)
      expect(new Set(made.map(({ json }) => json.id)).size).toBe(1)
      const again = await api('POST', '/spaces', body, key)
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
      expect((await api('POST', '/spaces', { ...body, name: 'Other' }, key)).status).toBe(422)
    })

    test.each<[string, string, string, unknown, number, string]>([
      ['malformed JSON', 'POST', '/spaces', '{"key":', 400, 'malformed'],
      [
        'an unknown field',
        'POST',
        '/spaces',
        { key: 'x1', name: 'X', isAdmin: true },
        400,
        'invalid',
      ],
      [
        '__proto__',
        'POST',
        '/spaces',
        '{"key":"x2","name":"X","__proto__":{"a":1}}',
        400,
        'invalid',
      ],
      ['a key that is taken', 'POST', '/spaces', { key: 'demo', name: 'X' }, 409, 'conflict'],
      ['no such space', 'GET', '/spaces/nowhere', undefined, 404, 'not_found'],
      ['no such path', 'GET', '/nowhere', undefined, 404, 'not_found'],
      ['a wrong method', 'DELETE', '/spaces', undefined, 405, 'method_not_allowed'],
      [
        'an unknown parent',
        'POST',
        '/spaces/demo/roles',
        { key: 'orphan', name: 'Orphan', parents: ['nobody'] },
        400,
        'invalid',
      ],
      [
        'a grant for an item that does not exist',
        'PUT',
        '/spaces/demo/roles/clerk/permissions/orders:fly',
        undefined,
        400,
        'invalid',
      ],
      [
        'a condition that does not parse',
        'POST',
        '/spaces/demo/assignments',
        { role: 'clerk', subject: { type: 'user', id: ALICE }, condition: 'user.' },
        400,
        'invalid',
      ],
      [
        'an item of another API',
        'POST',
        '/spaces/demo/permissions',
        { key: 'invoices:read', resource: 'orders' },
        400,
        'invalid',
      ],
      [
        'a name that is the portal’s',
        'POST',
        '/spaces/demo/permissions',
        { key: 'roles:write', resource: 'orders' },
        400,
        'invalid',
      ],
      [
        'an operator instead of a value (N13)',
        'POST',
        '/permissions/check',
        { user: { contains: '' }, permission: 'orders:read' },
        400,
        'invalid',
      ],
    ])('%s', async (_what, method, path, body, status, code) => {
      const before = (await api('GET', '/spaces/demo/model')).raw
      const answer = await api(method, path, body)
      expect([answer.status, answer.json.code]).toEqual([status, code])
      expect((await api('GET', '/spaces/demo/model')).raw).toBe(before)
    })

    test('a mistake says where it is', async () => {
      const subject = { type: 'user', id: ALICE }
      const bad = { role: 'clerk', subject, condition: 'user.a && foo' }
      const { json } = await api('POST', '/spaces/demo/assignments', bad)
      expect(json.errors).toEqual([
        {
          pointer: '/condition',
          code: 'condition_variable',
          detail:
            'foo is not a variable. Use request, user, auth, client, resource, subject or action.',
          values: { name: 'foo', at: '11' },
        },
      ])
    })

    test('N12: a cycle of roles is 409, also when both halves come at once', async () => {
      for (const key of ['ring-a', 'ring-b']) {
        await api('POST', '/spaces/demo/roles', { key, name: key })
      }
      const into = (key: string, parent: string) =>
        api('PATCH', `/spaces/demo/roles/${key}`, { parents: [parent] }, { 'if-match': '*' })
      const both = await Promise.all([into('ring-a', 'ring-b'), into('ring-b', 'ring-a')])
      expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
      expect((await into('ring-a', 'ring-a')).status).toBe(409)
      for (const key of ['ring-a', 'ring-b']) {
        await api('DELETE', `/spaces/demo/roles/${key}`, undefined, { 'if-match': '*' })
      }
    })

    test('text/plain, no body, too much of it', async () => {
      const send = (headers: Record<string, string>, body: string) =>
        ask(portal.origin, {
          method: 'POST',
          path: '/api/v1/spaces',
          headers: { authorization: `Bearer ${token}`, ...headers },
          body,
        })
      expect((await send({ 'content-type': 'text/plain' }, '{}')).status).toBe(415)
      expect((await send({}, '')).status).toBe(415)
      const json = { 'content-type': 'application/json' }
      expect((await send(json, '')).status).toBe(400)
      expect((await send(json, `{"x":"${'x'.repeat(3 * 1024 * 1024)}"}`)).status).toBe(413)
      expect((await send(json, '['.repeat(100_000))).status).toBe(400)
    })
  })
})
