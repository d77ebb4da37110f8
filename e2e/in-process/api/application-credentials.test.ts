import { describe, expect, test } from 'vitest'
import {
  call,
  changed,
  created,
  getToken,
  grant,
  machine,
  pointers,
  read,
  startApi,
} from '../../support/api-objects'
import { usually } from '../../support/databases'

describe.each(usually('sqlite'))('secrets and access keys on %s', (kind) => {
  startApi(kind)

  describe('secrets', () => {
    test('D19: shown once; several live together, and a revoked one is dead at once', async () => {
      const app = await machine()
      await grant(app.id, ['orders:read'])
      expect((await getToken(app.id, app.secret)).status).toBe(200)
      const second = await created(`/applications/${app.id}/secrets`, {
        name: 'second',
        expiresAt: '2099-01-01T00:00:00Z',
      })
      expect(second.secret.endsWith(second.hint)).toBe(true)
      expect((await getToken(app.id, second.secret)).status).toBe(200)
      expect((await getToken(app.id, app.secret)).status).toBe(200)
      const list = await read(`/applications/${app.id}/secrets?count=true`)
      expect(list.json.page.total).toBe(2)
      const [first] = list.json.data
      const gone = await call('DELETE', `/applications/${app.id}/secrets/${first.id}`)
      expect(gone.status).toBe(204)
      expect((await getToken(app.id, app.secret)).status).toBe(401)
      expect((await getToken(app.id, second.secret)).status).toBe(200)
      const left = await read(`/applications/${app.id}/secrets`)
      expect(left.json.data[0].revokedAt).toEqual(expect.any(String))
      for (const path of ['', '/secrets', '/keys', '/grants']) {
        const { raw } = await read(`/applications/${app.id}${path}`)
        for (const secret of [app.secret, second.secret]) expect(raw).not.toContain(secret)
      }
    })

    test('N2: a secret of another application is not there', async () => {
      const [one, two] = [await machine(), await machine()]
      const { json } = await read(`/applications/${one.id}/secrets`)
      const path = `/applications/${two.id}/secrets/${json.data[0].id}`
      expect((await call('DELETE', path)).status).toBe(404)
    })

    test('400 for one that is over before it begins, 409 for an eleventh', async () => {
      const { id } = await machine()
      const path = `/applications/${id}/secrets`
      const past = await call('POST', path, { name: 'old', expiresAt: '2020-01-01T00:00:00Z' })
      expect(pointers(past)).toEqual(['/expiresAt'])
      for (let nth = 2; nth <= 10; nth += 1) await created(path, { name: `nth ${nth}` })
      expect((await call('POST', path, { name: 'eleventh' })).status).toBe(409)
    })
  })

  describe('access keys', () => {
    test('are created, used, narrowed, disabled and deleted', async () => {
      const app = await machine()
      await grant(app.id, ['orders:*'])
      const path = `/applications/${app.id}/keys`
      const key = await created(path, {
        name: 'nightly',
        scopes: ['orders:read'],
        tokenSeconds: 600,
      })
      expect(key).toMatchObject({
        accessKey: expect.stringMatching(/^ak_/),
        enabled: true,
        expiresAt: null,
      })
      expect(key.secretKey).toMatch(/^ghsk_/)
      const got = JSON.parse((await getToken(key.accessKey, key.secretKey, 'orders:*')).body)
      expect(got).toMatchObject({ scope: 'orders:read', expires_in: 600 })
      const one = `${path}/${key.accessKey}`
      const { raw } = await read(one)
      expect(raw).not.toContain(key.secretKey)
      expect((await call('PATCH', one, { name: 'x' })).status).toBe(428)
      const wide = await changed('PATCH', one, { scopes: null, tokenSeconds: null, name: 'wide' })
      expect(wide.json).toMatchObject({ scopes: null, tokenSeconds: null, name: 'wide' })
      expect((await getToken(key.accessKey, key.secretKey, 'orders:write')).status).toBe(200)
      await changed('PATCH', one, { enabled: false })
      expect((await getToken(key.accessKey, key.secretKey)).status).toBe(401)
      await changed('PATCH', one, { enabled: true, expiresAt: '2020-01-01T00:00:00Z' })
      expect((await getToken(key.accessKey, key.secretKey)).status).toBe(401)
      expect((await changed('DELETE', one)).status).toBe(204)
      expect((await call('GET', one)).status).toBe(404)
      expect((await read(path)).json.data).toEqual([])
    })

    test('N7, N2: a key stays with its application, and is there only', async () => {
      const [one, two] = [await machine(), await machine()]
      const key = await created(`/applications/${one.id}/keys`, { name: 'k' })
      const path = `/applications/${one.id}/keys/${key.accessKey}`
      for (const body of [
        { application: two.id },
        { applicationId: two.id },
        { accessKey: 'ak_x' },
      ]) {
        expect((await changed('PATCH', path, body)).status).toBe(400)
      }
      expect((await call('GET', `/applications/${two.id}/keys/${key.accessKey}`)).status).toBe(404)
    })

    test.each([
      { tokenSeconds: 59 },
      { tokenSeconds: 86_401 },
      { tokenSeconds: 60.5 },
      { scopes: ['*'] },
      { scopes: 'orders:read' },
      { name: '' },
      { expiresAt: '2020-01-01T00:00:00Z' },
    ])('400 for %j', async (fields) => {
      const path = '/applications/app_demo_machine/keys'
      expect((await call('POST', path, { name: 'k', ...fields })).status).toBe(400)
    })
  })
})
