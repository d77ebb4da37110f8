import { describe, expect, test } from 'vitest'
import { sessionOf } from '../../support/api'
import {
  as,
  call,
  changed,
  created,
  demo,
  owner,
  pointers,
  portal,
  read,
  startApi,
  unique,
} from '../../support/api-objects'
import { usually } from '../../support/databases'

describe.each(usually('sqlite'))('users and groups on %s', (kind) => {
  startApi(kind)

  describe('users', () => {
    test('are created, read by id and by user name, changed and deleted', async () => {
      const username = unique('Cleo')
      const fields = {
        name: 'Cleo Clerk',
        email: `${username}@Example.com`,
        emailVerified: true,
        username,
        attributes: { branch: 'Bern', level: 3, tags: ['a', 'b'] },
        profile: {
          given_name: 'Cleo',
          address: { country: 'CH' },
          picture: 'https://x.example/c.png',
        },
        locale: 'zh-Hans',
        enabled: true,
        adminRole: 'auditor',
      }
      const user = await created('/users', fields)
      expect(user).toMatchObject(fields)
      expect(user.id).toMatch(/^usr_/)
      expect((await read(`/users/${username.toUpperCase()}`)).json).toEqual(user)
      const patch = { name: null, attributes: {}, adminRole: null, locale: null }
      const after = await changed('PATCH', `/users/${user.id}`, patch)
      expect(after.json).toMatchObject({ ...fields, ...patch })
      expect((await read(`/users/${user.id}`)).json).toEqual(after.json)
      const moved = await changed('PATCH', `/users/${user.id}`, {
        email: `x${username}@example.com`,
      })
      expect(moved.json.emailVerified).toBe(false)
      expect((await changed('DELETE', `/users/${user.id}`)).status).toBe(204)
      expect((await call('GET', `/users/${user.id}`)).status).toBe(404)
    })

    test.each<[string, object, string]>([
      ['nothing to sign in with', { name: 'Nobody' }, '/email'],
      ['M26: two addresses', { email: 'a@x.example,b@y.example' }, '/email'],
      ['M26: a header', { email: 'a@x.example\nBcc: b@y.example' }, '/email'],
      ['M26: a line feed at the end', { email: 'a@x.example\n' }, '/email'],
      ['M26: 1 KiB', { email: `${'a'.repeat(1_000)}@x.example` }, '/email'],
      ['M26: no address', { email: 'a' }, '/email'],
      ['verified, and no address', { username: 'vera', emailVerified: true }, '/emailVerified'],
      ['a user name like an address', { username: 'a@x.example' }, '/username'],
      ['M27: a user name that becomes one', { username: 'a＠x' }, '/username'],
      ['M27: two alphabets', { username: 'аdmin' }, '/username'],
      ['M27: nothing to see', { username: 'ad\u200Bmin' }, '/username'],
      ['M27: right to left', { username: 'ad\u202Emin' }, '/username'],
      ['a user name like an id', { username: 'USR_demo_admin' }, '/username'],
      [
        'a claim that is none',
        { username: 'x', profile: { sub: 'usr_demo_admin' } },
        '/profile/sub',
      ],
      [
        'M31: a claim of a column',
        { username: 'x', profile: { email_verified: true } },
        '/profile/email_verified',
      ],
      [
        'a picture from a script',
        { username: 'x', profile: { picture: 'javascript:1' } },
        '/profile/picture',
      ],
      [
        'attributes over 8 KiB',
        { username: 'x', attributes: { a: 'x'.repeat(9_000) } },
        '/attributes',
      ],
      ['an unknown role', { username: 'x', adminRole: 'superuser' }, '/adminRole'],
      ['a list for attributes', { username: 'x', attributes: [] }, '/attributes'],
    ])('400 for %s', async (_what, fields, pointer) => {
      const answer = await call('POST', '/users', fields)
      expect([answer.status, pointers(answer)]).toEqual([400, expect.arrayContaining([pointer])])
    })

    test('M26, M27: one address and one user name, however they are written', async () => {
      const name = unique('Same')
      await created('/users', { username: name, email: `${name}@same.example` })
      const wide = [...name]
        .map((c) => (/[a-z]/i.test(c) ? String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0) : c))
        .join('')
      for (const username of [name, name.toUpperCase(), wide]) {
        expect((await call('POST', '/users', { username })).status).toBe(409)
      }
      for (const email of [`${name}@SAME.example`, `${wide}＠same.example`]) {
        expect((await call('POST', '/users', { email })).status).toBe(409)
      }
    })

    test('attributes are what conditions read, at once', async () => {
      const user = await created('/users', { username: unique('attr'), attributes: { level: 1 } })
      const before = (await read('/users')).headers['x-policy-version']
      await changed('PATCH', `/users/${user.id}`, { attributes: { level: 2 } })
      const after = (await read('/users')).headers['x-policy-version']
      expect(Number(after)).toBeGreaterThan(Number(before))
    })
  })

  describe('N5: roles of admins', () => {
    test('nobody gives a role above their own, nor touches who has one', async () => {
      const admin = '/users/usr_demo_admin'
      const fresh = { username: unique('boss'), adminRole: 'owner' }
      expect((await call('POST', '/users', fresh)).status).toBe(403)
      expect((await changed('PATCH', '/users/usr_demo_alice', { adminRole: 'owner' })).status).toBe(
        403,
      )
      for (const body of [
        { email: 'mine@evil.example' },
        { enabled: false },
        { adminRole: null },
      ]) {
        expect((await changed('PATCH', admin, body)).status).toBe(403)
      }
      expect((await changed('DELETE', admin)).status).toBe(403)
      expect((await read(admin)).json).toMatchObject({ adminRole: 'owner', enabled: true })
    })

    test('the last owner stays, and nobody removes themselves', async () => {
      const me = '/users/usr_demo_admin'
      const demoted = await changed('PATCH', me, { adminRole: 'admin' }, owner)
      expect([demoted.status, demoted.json.detail]).toEqual([
        409,
        'The portal needs at least one owner. Make somebody else an owner first.',
      ])
      const second = await as(owner, 'POST', '/users', {
        username: unique('second'),
        adminRole: 'owner',
      })
      expect(second.status).toBe(201)
      expect((await changed('PATCH', me, { enabled: false }, owner)).status).toBe(409)
      expect((await changed('DELETE', me, undefined, owner)).status).toBe(409)
      expect((await read(me)).json).toMatchObject({ adminRole: 'owner', enabled: true })
      const other = `/users/${second.json.id}`
      expect((await changed('PATCH', other, { enabled: false }, owner)).status).toBe(200)
      expect((await changed('PATCH', me, { adminRole: 'admin' }, owner)).status).toBe(409)
      expect((await changed('DELETE', other, undefined, owner)).status).toBe(204)
    })

    test('two owners cannot remove each other at the same moment', async () => {
      const [admin, bob] = ['/users/usr_demo_admin', '/users/usr_demo_bob']
      await changed('PATCH', bob, { adminRole: 'owner' }, owner)
      const other = await sessionOf(portal, demo.users[1])
      const seen = { 'if-match': '*' }
      await Promise.all([
        as(owner, 'PATCH', bob, { adminRole: null }, seen),
        as(other, 'PATCH', admin, { adminRole: null }, seen),
      ])
      const { data } = (await read('/users?adminRole=owner')).json
      expect(data).toHaveLength(1)
      const [left, gone] = data[0].id === 'usr_demo_admin' ? [owner, bob] : [other, admin]
      if (gone === bob) return
      await as(left, 'PATCH', admin, { adminRole: 'owner' }, seen)
      await as(owner, 'PATCH', bob, { adminRole: null }, seen)
    })

    test('with a session, only from a page of ours', async () => {
      const { cookie = '' } = owner
      const body = { username: unique('csrf') }
      for (const headers of [
        { cookie },
        { cookie, 'x-gatehouse-request': '1', origin: 'https://evil.example' },
      ]) {
        expect((await as(headers, 'POST', '/users', body)).status).toBe(403)
      }
      expect((await as({ cookie }, 'GET', '/users?limit=1')).status).toBe(200)
      expect((await as({}, 'GET', '/users')).status).toBe(401)
    })
  })

  describe('groups', () => {
    test('are created, changed, filled and deleted', async () => {
      const key = unique('clerks')
      const group = await created('/groups', { key, name: 'Clerks' })
      expect((await call('POST', '/groups', { key, name: 'Again' })).status).toBe(409)
      expect((await call('POST', '/groups', { key: 'grp_x', name: 'An id' })).status).toBe(400)
      expect((await read(`/groups/${key}`)).json).toEqual(group)
      const named = await changed('PATCH', `/groups/${key}`, { name: 'All clerks' })
      expect(named.json.name).toBe('All clerks')
      const members = `/groups/${key}/members`
      for (const user of ['usr_demo_alice', 'usr_demo_bob', 'usr_demo_alice']) {
        expect((await call('PUT', `${members}/${user}`)).status).toBe(204)
      }
      expect((await call('PUT', `${members}/usr_nobody`)).status).toBe(404)
      const list = await read(`${members}?sort=name&count=true`)
      expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual([
        'usr_demo_alice',
        'usr_demo_bob',
      ])
      expect(list.json.page.total).toBe(2)
      expect((await call('DELETE', `${members}/usr_demo_alice`)).status).toBe(204)
      expect((await call('DELETE', `${members}/usr_demo_alice`)).status).toBe(404)
      expect((await call('DELETE', `/groups/${key}`)).status).toBe(428)
      expect((await changed('DELETE', `/groups/${key}`)).status).toBe(204)
      expect((await call('GET', members)).status).toBe(404)
    })
  })
})
