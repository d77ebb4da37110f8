import { describe, expect, test } from 'vitest'
import {
  confirmed,
  newPerson,
  op,
  PASSWORD,
  pathOf,
  portal,
  rowOf,
  send,
  signedIn,
  startAccounts,
} from '../support/accounts'
import { ask } from '../support/ask'
import { usually } from '../support/databases'
import { authorizeUrl, webRequest } from '../support/flow'

describe.each(usually('sqlite'))('one’s own account on %s', (kind) => {
  startAccounts(kind)

  test('M31: nobody makes themselves verified, an admin or somebody else', async () => {
    const login = await newPerson()
    await op.db.user.update({ where: { id: login.id }, data: { emailVerified: false } })
    const person = await signedIn(login)
    const before = await rowOf(login)
    const page = await person.open('/account')
    const forged = {
      id: 'usr_x',
      email: 'x@x.org',
      emailVerified: 'true',
      email_verified: 'true',
      adminRole: 'owner',
      username: 'admin',
      picture: 'https://x.org',
      deleteAfter: '2000',
      attributes: '{"admin":true}',
      phone_number_verified: 'true',
      sub: 'usr_x',
    }
    const saved = await person.submit(page, { name: 'Ann Again', ...forged })
    expect(saved.url).toContain('done=profile')
    const after = await rowOf(login)
    expect(after).toMatchObject({
      ...before,
      name: 'Ann Again',
      updatedAt: after?.updatedAt,
      version: (before?.version ?? 0) + 1,
    })
    expect((await person.open('/account')).html).toContain('href="/verify?returnTo=%2Faccount"')
  })

  describe('deleting one’s account', () => {
    test('asks twice, ends everything, and offers nothing but to stay', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const page = await confirmed(person, '/account/delete')
      const wrong = await person.submit(page, { typed: 'somebody@else.example' })
      expect(wrong.html).toContain('aria-invalid="true"')
      const done = await person.submit(page, { typed: login.email })
      expect(pathOf(done)).toBe('/account/delete/done')
      expect(person.cookies.has('gatehouse.session')).toBe(false)

      const back = await signedIn(login)
      const pages = ['/', '/login', '/account', '/account/security', '/account/data/download']
      for (const path of pages) {
        const seen = await back.open(path)
        expect(pathOf(seen)).toBe('/account/keep')
        expect(seen.html).not.toContain(login.email)
      }
      const atApp = await back.open(authorizeUrl(webRequest(portal.demo())))
      expect(pathOf(atApp)).toBe('/account/keep')
      const headers = { cookie: back.cookieHeader(), 'x-gatehouse-request': '1' }
      expect((await ask(portal.origin, { path: '/api/v1/users', headers })).status).toBe(401)

      const kept = await back.submit(await back.open('/account/keep'), {})
      expect(kept.url).toContain('/account?done=kept')
      expect((await rowOf(login))?.deleteAfter).toBeNull()
      expect(pathOf(await back.open('/account/security'))).toBe('/account/security')
    })

    test('M21: without a session, or without having confirmed it, nothing happens', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const page = await confirmed(person, '/account/delete')
      expect((await send(page, { typed: login.email })).location).toMatch(/^\/login\?/)
      const other = await signedIn(login)
      const unconfirmed = await send(page, { typed: login.email }, other.cookieHeader())
      expect(unconfirmed.location).toMatch(/^\/account\/confirm\?/)
      expect((await rowOf(login))?.deleteAfter).toBeNull()
    })
  })

  test('one’s own data: a file, for whoever has just said who they are', async () => {
    const login = await newPerson()
    const person = await signedIn(login)
    const question = await person.open('/account/data/download')
    expect(pathOf(question)).toBe('/account/confirm')
    const file = await person.submit(question, { password: PASSWORD })
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="gatehouse-my-data.json"',
      'cache-control': 'no-store',
    })
    expect(JSON.parse(file.html).profile).toMatchObject({ id: login.id, email: login.email })
  })
})
