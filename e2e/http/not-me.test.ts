import { describe, expect, test } from 'vitest'
import {
  api,
  browser,
  confirmed,
  type Login,
  NEXT,
  newPerson,
  op,
  pathOf,
  portal,
  send,
  server,
  signedIn,
  startAccounts,
} from '../support/accounts'
import { addApp } from '../support/add-app'
import { usually } from '../support/databases'
import { linkIn } from '../support/smtp'

const DONE = '/not-me/done?mail=sent'

describe.each(usually('sqlite'))('"It wasn’t me", the link in a notice, on %s', (kind) => {
  startAccounts(kind)

  const isIn = async (login: Login) => (await signedIn(login)).cookies.has('gatehouse.session')

  /** Somebody who just added an authenticator app, and the link of the notice about it. */
  async function withNotice() {
    const login = await newPerson()
    const person = await signedIn(login)
    const app = await addApp(person, login.password)
    return { login, person, app, link: linkIn(await server.lastTo(login.email)) }
  }

  test('looking changes nothing; the button signs everybody out and stops the password', async () => {
    const { login, person, app, link } = await withNotice()
    expect(link).toMatch(new RegExp(`^${portal.origin}/not-me\\?token=ghlk_\\S+$`))
    for (let look = 0; look < 3; look += 1) {
      expect((await browser().open(link)).html).toContain(login.email)
    }
    expect(pathOf(await person.open('/account'))).toBe('/account')
    const before = server.received.length
    const outsider = browser()
    const done = await outsider.submit(await outsider.open(link), {})
    expect(done.url).toBe(`${portal.origin}${DONE}`)
    expect(outsider.cookies.has('gatehouse.session')).toBe(false)
    expect(pathOf(await person.open('/account'))).toBe('/login')
    expect(await isIn(login)).toBe(false)
    expect((await browser().open(link)).html).toContain('no longer works')

    // The mail alone sets a password, but the second factor is still asked for.
    const reset = await server.lastTo(login.email, before)
    expect(reset.subject).toBe('Set a new password')
    await send(await browser().open(linkIn(reset)), { password: NEXT })
    const back = browser()
    const question = await back.signIn(await back.open('/login'), { ...login, password: NEXT })
    expect(pathOf(question)).toBe('/second-factor')
    await back.submit(question, { code: app.next() })
    expect((await back.open('/account/activity')).html).toContain('It wasn’t me')
  })

  test('M25: of 20 that send one link at once, one wins, and one mail is sent', async () => {
    const { login, link } = await withNotice()
    const page = await browser().open(link)
    const before = server.received.length
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(page, {})))
    expect(answers.filter(({ location }) => location === DONE)).toHaveLength(1)
    expect(answers.filter(({ location }) => location === '/not-me')).toHaveLength(19)
    await server.lastTo(login.email, before)
    const open = { where: { kind: 'mail', deliveredAt: null, failedAt: null } }
    await expect.poll(() => op.db.outboxMessage.count(open)).toBe(0)
    const mails = server.received.slice(before).filter(({ to }) => to.includes(login.email))
    expect(mails.map(({ subject }) => subject)).toEqual(['Set a new password'])
  })

  test('M25: one link closes those of the other notices and of a new address that was asked for', async () => {
    const { login, person, link } = await withNotice()
    const before = server.received.length
    await person.submit(await confirmed(person, '/account/security/recovery-codes'), {})
    const other = linkIn(await server.lastTo(login.email, before))
    expect(other).not.toBe(link)
    const next = `next-${login.email}`
    await person.submit(await confirmed(person, '/account/email'), { email: next })
    const address = linkIn(await server.lastTo(next))
    await send(await browser().open(link), {})
    for (const closed of [other, address]) {
      expect((await browser().open(closed)).html).toContain('no longer works')
    }
  })

  test('M25: an account that has another address meanwhile is signed out, but keeps its password', async () => {
    const { login, person, link } = await withNotice()
    const email = `moved-${login.email}`
    const moved = await api('PATCH', `/users/${login.id}`, { email }, { 'if-match': '*' })
    expect(moved.status).toBe(200)
    const before = server.received.length
    expect((await send(await browser().open(link), {})).location).toBe('/not-me/done')
    expect(pathOf(await person.open('/account'))).toBe('/login')
    const back = browser()
    expect(pathOf(await back.signIn(await back.open('/login'), { ...login, email }))).toBe(
      '/second-factor',
    )
    expect(
      server.received.slice(before).filter(({ subject }) => /new password/.test(subject)),
    ).toEqual([])
  })

  test('M25: it opens no other page, no other link opens it, and a new password closes it', async () => {
    const { login, link } = await withNotice()
    const token = new URL(link).searchParams.get('token') ?? ''
    for (const path of ['/reset', '/verify', '/email', '/invite']) {
      expect((await browser().open(`${path}?token=${token}`)).html).toContain('no longer works')
    }
    const before = server.received.length
    const asking = browser()
    await asking.submit(await asking.open('/forgot'), { identifier: login.email })
    const reset = linkIn(await server.lastTo(login.email, before))
    const wrong = await browser().open(`/not-me${new URL(reset).search}`)
    expect(wrong.html).toContain('no longer works')
    await send(await browser().open(reset), { password: NEXT })
    expect((await browser().open(link)).html).toContain('no longer works')
  })
})
