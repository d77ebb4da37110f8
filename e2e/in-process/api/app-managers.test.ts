import { describe, expect, test } from 'vitest'
import { sessionOf } from '../../support/api'
import { as, changed, demo, grant, portal, startApi } from '../../support/api-objects'
import { usually } from '../../support/databases'

describe.each(usually('sqlite'))('app managers on %s', (kind) => {
  startApi(kind)

  /** Only an admin says that a publisher is verified, and a change by the owner takes it back. */
  async function vouchedFor(owner: Record<string, string>, id: string) {
    const path = `/applications/${id}`
    const byOwner = (body: object) => as(owner, 'PATCH', path, body, { 'if-match': '*' })
    const verified = { publisher: 'Bob Ltd', publisherVerified: true }
    expect((await byOwner(verified)).status).toBe(403)
    expect((await changed('PATCH', path, { publisherVerified: true })).status).toBe(400)
    expect((await changed('PATCH', path, verified)).json).toMatchObject(verified)
    expect((await byOwner({ policyUri: 'https://bob.example/policy' })).json).toMatchObject(
      verified,
    )
    expect((await byOwner({ publisherVerified: true })).status).toBe(200)
    expect((await byOwner({ name: 'Alice’s bank' })).json.publisherVerified).toBe(false)
    expect((await changed('PATCH', path, verified)).json.publisherVerified).toBe(true)
    const other = await changed('PATCH', path, { publisher: 'Somebody else' })
    expect(other.json.publisherVerified).toBe(false)
  }

  describe('app managers', () => {
    test('N2: see and change their own applications, and no others', async () => {
      await changed('PATCH', '/users/usr_demo_bob', { adminRole: 'app_manager' })
      const bob = await sessionOf(portal, demo.users[1])
      expect((await as(bob, 'GET', '/applications?count=true')).json.page.total).toBe(0)
      const mine = await as(bob, 'POST', '/applications', { kind: 'machine', name: 'Bob’s' })
      expect(mine.json.owner).toBe('usr_demo_bob')
      const list = await as(bob, 'GET', '/applications?owner=usr_demo_alice')
      expect(list.json.data).toEqual([])
      const { id } = mine.json
      expect((await as(bob, 'GET', '/applications')).json.data).toMatchObject([{ id }])
      const etag = { 'if-match': '*' }
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', '', undefined],
        ['GET', '/secrets', undefined],
        ['POST', '/secrets', { name: 'x' }],
        ['GET', '/grants', undefined],
        ['PUT', '/grants', { grants: [] }],
        ['GET', '/keys', undefined],
        ['POST', '/keys', { name: 'x' }],
        ['PATCH', `/keys/${demo.machine.access_key}`, { name: 'x' }],
      ] as const) {
        const foreign = await as(bob, method, `/applications/app_demo_machine${path}`, body, etag)
        const unknown = await as(bob, method, `/applications/app_nothing${path}`, body, etag)
        expect([method, path, foreign.status]).toEqual([method, path, 404])
        const namedAlike = unknown.json.detail.replace('app_nothing', 'app_demo_machine')
        expect({ ...foreign.json, requestId: '' }).toEqual({
          ...unknown.json,
          requestId: '',
          detail: namedAlike,
        })
      }
      expect((await as(bob, 'PATCH', `/applications/${id}`, { name: 'New' }, etag)).status).toBe(
        200,
      )
      await vouchedFor(bob, id)
      for (const giver of ['usr_demo_alice', null]) {
        const given = await as(bob, 'PATCH', `/applications/${id}`, { owner: giver }, etag)
        expect(given.status).toBe(403)
      }
      expect((await as(bob, 'POST', `/applications/${id}/secrets`, { name: 'b' })).status).toBe(201)
      expect((await grant(id, ['orders:read'], bob)).status).toBe(403)
      // As a client of its own it would see what is not Bob's.
      expect((await grant(id, ['applications:read'], bob)).status).toBe(403)
      expect((await as(bob, 'GET', '/users')).status).toBe(403)
      expect((await as(bob, 'GET', '/audit-events')).status).toBe(403)
      await changed('PATCH', '/users/usr_demo_bob', { adminRole: null })
      expect((await as(bob, 'GET', '/applications')).status).toBe(403)
    })
  })
})
