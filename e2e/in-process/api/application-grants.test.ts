import { describe, expect, test } from 'vitest'
import { machineToken } from '../../support/api'
import {
  changed,
  getToken,
  grant,
  machine,
  pointers,
  portal,
  read,
  startApi,
  token,
} from '../../support/api-objects'
import { usually } from '../../support/databases'

describe.each(usually('sqlite'))('grants of an application on %s', (kind) => {
  startApi(kind)

  describe('grants', () => {
    test('are replaced as a set, and decide the next token', async () => {
      const app = await machine()
      expect((await getToken(app.id, app.secret)).status).toBe(400)
      const put = await grant(app.id, ['orders:*'])
      expect(put.json.grants).toMatchObject([
        {
          pattern: 'orders:*',
          effect: 'allow',
          condition: null,
          validFrom: null,
          validUntil: null,
        },
      ])
      expect((await getToken(app.id, app.secret)).status).toBe(200)
      const denied = await changed('PUT', `/applications/${app.id}/grants`, {
        grants: [
          { pattern: 'orders:read' },
          { pattern: 'orders:read', effect: 'deny', condition: 'request.grant_type == "x"' },
          {
            pattern: 'orders:write',
            validFrom: '2098-01-01T00:00:00Z',
            validUntil: '2099-01-01T00:00:00+02:00',
          },
        ],
      })
      expect(denied.status).toBe(200)
      expect((await read(`/applications/${app.id}/grants`)).json).toEqual(denied.json)
      expect(JSON.parse((await getToken(app.id, app.secret, 'orders:write')).body)).toMatchObject({
        scope_rejected_reasons: [{ code: 'grant_expired', next_action: 'none' }],
      })
      await grant(app.id, [])
      expect((await getToken(app.id, app.secret)).status).toBe(400)
    })

    test('400 with the place of each that nobody registered', async () => {
      const { id } = await machine()
      const answer = await grant(id, [
        'orders:read',
        'orders:nothing',
        'orders:*',
        'nobody:*',
        'users:*',
      ])
      expect(answer.status).toBe(400)
      expect(pointers(answer)).toEqual([
        '/grants/1/pattern',
        '/grants/3/pattern',
        '/grants/4/pattern',
      ])
      for (const wrong of [
        { pattern: '*' },
        { pattern: 'orders:read', condition: 'user.' },
        { pattern: 'orders:read', effect: 'maybe' },
        {
          pattern: 'orders:read',
          validFrom: '2027-01-02T00:00:00Z',
          validUntil: '2027-01-01T00:00:00Z',
        },
        { pattern: 'orders:read', validFrom: 'soon' },
        { pattern: 'orders:read', applicationId: 'app_demo_web' },
      ]) {
        const refused = await changed('PUT', `/applications/${id}/grants`, { grants: [wrong] })
        expect([refused.status, pointers(refused)[0]]).toEqual([
          400,
          expect.stringMatching(/^\/grants\/0\//),
        ])
      }
    })

    test('N5: nobody gives more of the portal than they hold themselves', async () => {
      const { id } = await machine()
      const narrow = await machineToken(portal, 'applications:read applications:write')
      expect((await grant(id, ['users:write'], narrow)).status).toBe(403)
      expect((await grant(id, ['applications:read'], narrow)).status).toBe(200)
      expect((await grant(id, ['applications:read', 'users:read'], token)).status).toBe(200)
      // What it holds already may stay.
      expect((await grant(id, ['users:read'], narrow)).status).toBe(200)
    })
  })
})
