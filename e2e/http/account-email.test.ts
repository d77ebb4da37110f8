import { describe, expect, test } from 'vitest'
import {
  browser,
  confirmed,
  NEXT,
  newPerson,
  op,
  PASSWORD,
  portal,
  rowOf,
  send,
  server,
  signedIn,
  startAccounts,
  tokenHashOf,
} from '../support/accounts'
import { usually } from '../support/databases'
import type { OldBrowser } from '../support/old-browser'
import { linkIn } from '../support/smtp'

describe.each(usually('sqlite'))('another mail address on %s', (kind) => {
  startAccounts(kind)

  describe('another address', () => {
    async function changeLink(person: OldBrowser, email: string): Promise<string> {
      const page = await confirmed(person, '/account/email')
      const before = server.received.length
      const sent = await person.submit(page, { email })
      expect(sent.url).toContain('done=emailSent')
      return linkIn(await server.lastTo(email, before))
    }

    test('M25: counts once the link sent there is used, once; both addresses hear of it', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const next = `next-${login.email}`
      const link = await changeLink(person, next)
      expect(new URL(link).origin).toBe(portal.origin)
      for (let look = 0; look < 3; look += 1) {
        expect((await browser().open(link)).html).toContain(next)
      }
      expect((await rowOf(login))?.email).toBe(login.email)
      const before = server.received.length
      const page = await person.open(link)
      const cookie = person.cookieHeader()
      const answers = await Promise.all(Array.from({ length: 10 }, () => send(page, {}, cookie)))
      expect(answers.map(({ location }) => location).sort()).toEqual([
        ...Array(9).fill('/email'),
        '/email/done',
      ])
      expect(await rowOf(login)).toMatchObject({ email: next, emailKey: next, emailVerified: true })
      expect((await server.lastTo(next, before)).subject).toBe(
        'Your account uses this email address now',
      )
      const old = await server.lastTo(login.email, before)
      expect(old.subject).toBe('Your account uses another email address now')
      expect(old.text).not.toMatch(/https?:/)
      expect((await browser().open(link)).html).toContain('no longer works')
      const again = await signedIn({ ...login, email: next })
      expect(again.cookies.has('gatehouse.session')).toBe(true)
    })

    test('M25: an expired link, one of another purpose, and one from before a new password are closed', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const links = [
        await changeLink(person, `a-${login.email}`),
        await changeLink(person, `b-${login.email}`),
        await changeLink(person, `c-${login.email}`),
      ]
      const [expired = '', other = '', late = ''] = links
      const change = (link: string, data: object) =>
        op.db.oneTimeLink.update({ where: { tokenHash: tokenHashOf(link) }, data })
      const pages = await Promise.all(links.map((link) => person.open(link)))
      await change(expired, { expiresAt: new Date(Date.now() - 1) })
      await change(other, { purpose: 'verify' })
      const form = await person.open('/account/security/password')
      await person.submit(form, { current: PASSWORD, next: NEXT })
      const cookie = person.cookieHeader()
      for (const page of pages) expect((await send(page, {}, cookie)).location).toBe('/email')
      expect((await browser().open(late)).html).toContain('no longer works')
      expect((await rowOf(login))?.email).toBe(login.email)
    })

    test('M1: one that is taken gets the same answer, its owner hears of it, nothing changes', async () => {
      const [login, owner] = [await newPerson(), await newPerson()]
      const person = await signedIn(login)
      const page = await confirmed(person, '/account/email')
      const before = server.received.length
      const sent = await person.submit(page, { email: owner.email.toUpperCase() })
      expect(sent.url).toContain('done=emailSent')
      const letter = await server.lastTo(owner.email, before)
      expect(letter.subject).toBe('You already have an account')
      expect((await rowOf(login))?.email).toBe(login.email)
    })

    test('one that somebody took meanwhile stays theirs', async () => {
      const login = await newPerson()
      const email = `wanted-${login.email}`
      const person = await signedIn(login)
      const link = await changeLink(person, email)
      const quick = await newPerson()
      const data = { email, emailKey: email }
      await op.db.user.update({ where: { id: quick.id }, data })
      const answer = await send(await person.open(link), {}, person.cookieHeader())
      expect(answer.location).toBe('/email')
      expect((await rowOf(login))?.email).toBe(login.email)
    })

    test('M26: what is no address, and one’s own, is refused; M2: the fourth time waits', async () => {
      const login = await newPerson()
      const person = await signedIn(login)
      const page = await confirmed(person, '/account/email')
      for (const email of ['', 'a@x.org,b@y.org', 'a@x.org\nBcc: b@y.org', login.email]) {
        const { location, html } = await send(page, { email }, person.cookieHeader())
        expect(location).toBeNull()
        expect(html).toContain('aria-invalid="true"')
      }
      for (let time = 0; time < 3; time += 1) await changeLink(person, `x${time}-${login.email}`)
      const slowed = await person.submit(page, { email: `late-${login.email}` })
      expect(slowed.html).toMatch(/Please wait \d+ minutes?/)
    })
  })
})
