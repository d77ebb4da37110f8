import { describe, expect, test } from 'vitest'
import { usually } from '../support/databases'
import {
  browser,
  op,
  PASSWORD,
  send,
  server,
  signIn,
  somebody,
  startMail,
} from '../support/mail-portal'
import { formOf, OldBrowser } from '../support/old-browser'
import { sharedPortal } from '../support/shared-portal'
import { linkIn } from '../support/smtp'

test('registration is closed unless it is opened', async () => {
  const portal = await sharedPortal()
  const browser = new OldBrowser(portal.origin)
  expect((await browser.open('/login')).html).not.toContain('/register')
  const page = await browser.open('/register')
  expect(page.html).toContain('You need an invitation')
  expect(formOf(page).asksPassword).toBe(false)
})

describe.each(usually('sqlite'))('registration on %s', (kind) => {
  startMail(kind)

  describe('a new account', () => {
    const register = async (typed: Record<string, string>, headers = {}, query = '') =>
      send(
        await browser().open(`/register${query}`),
        { name: 'Nell', password: PASSWORD, ...typed },
        headers,
      )

    test('signs in at once; the address is its own after a button was pressed, once', async () => {
      const email = 'nell@example.com'
      const before = server.received.length
      const login = await browser().open('/login?returnTo=%2Flogout')
      expect(login.html).toContain('href="/register?returnTo=%2Flogout"')
      const answer = await register({ email }, {}, '?returnTo=%2Flogout')
      expect([answer.status, answer.location]).toEqual([303, '/register/sent?returnTo=%2Flogout'])
      expect(await signIn(email, PASSWORD)).toBe(true)
      const verified = async () =>
        (await op.db.user.findUniqueOrThrow({ where: { emailKey: email } })).emailVerified
      const link = linkIn(await server.lastTo(email, before))
      const person = browser()
      await person.signIn(await person.open('/login'), { email, password: PASSWORD })
      const page = await person.open(link)
      expect(page.html).toContain('Confirm your email address')
      expect(await verified()).toBe(false)
      const cookie = { cookie: person.cookieHeader() }
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(page, {}, cookie)))
      const places = answers.map(({ location }) => location).sort()
      expect(places).toEqual([
        '/verify/done?returnTo=%2Flogout',
        ...Array(19).fill('/verify?token='),
      ])
      expect(await verified()).toBe(true)
      expect((await browser().open(link)).html).toContain('no longer works')
    })

    test('M1: an address that is taken gets the same answer; its owner hears of it; nothing changes', async () => {
      const email = await somebody()
      const before = server.received.length
      const rows = await op.db.user.count()
      const taken = await register({ email: email.toUpperCase() })
      const free = await register({ email: 'free@example.com' })
      const shown = ({ status, location, body }: typeof taken) => [status, location, body]
      expect(shown(taken)).toEqual(shown(free))
      expect((await server.lastTo(email, before)).subject).toBe('You already have an account')
      expect(await op.db.user.count()).toBe(rows + 1)
      expect(await signIn(email, PASSWORD)).toBe(false)
    })

    test('of 10 that want one address at once, one account comes', async () => {
      const email = 'race@example.com'
      const before = await op.db.user.count()
      const typed = { email, name: 'Racer' }
      const answers = await Promise.all(Array.from({ length: 10 }, () => register(typed)))
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([...Array(7).fill(200), 303, 303, 303])
      expect(await op.db.user.count()).toBe(before + 1)
    })

    test('M26, M28: an address that is not one, a weak password or no name is refused', async () => {
      const before = await op.db.user.count()
      for (const typed of [
        { email: 'a@x.org,b@y.org' },
        { email: 'a@x.org\r\nBcc: b@y.org' },
        { email: `${'a'.repeat(1024)}@x.org` },
        { email: 'bob@exаmple.com' }, // a Cyrillic letter
        { email: 'ok@example.com', password: 'short' },
        { email: 'ok@example.com', name: ' \u0007 ' },
      ]) {
        const { location, body } = await register(typed)
        expect(location).toBeNull()
        expect(body).toContain('aria-invalid="true"')
      }
      expect(await op.db.user.count()).toBe(before)
    })

    test('M2: one network is slowed down', async () => {
      const one = { 'x-forwarded-for': '203.0.113.77' }
      const network = op.limits.networkOf('203.0.113.77')
      for (let i = 0; i < 20; i += 1) {
        await op.counters.hit(`register:address:${network}`, op.now(), 60_000)
      }
      const slowed = await register({ email: 'late@example.com' }, one)
      expect(slowed.body).toMatch(/Please wait \d+ minutes?/)
    })
  })
})
