import { describe, expect, test } from 'vitest'
import { usually } from '../support/databases'
import { formWith } from '../support/old-browser'
import {
  backFrom,
  browserAt,
  closed,
  confirmed,
  db,
  eventsOf,
  goThrough,
  identityOf,
  leave,
  open,
  outsider,
  passwordHash,
  people,
  refused,
  resident,
  SESSION,
  standIn,
  startProviders,
  startUpstream,
  userCount,
  withPassword,
} from '../support/upstream'

startProviders()

describe.each(usually('sqlite'))('sign-in through another provider on %s', (kind) => {
  startUpstream(kind)

  describe('M30: who one is here', () => {
    test('a first visit makes an account, the second finds it, and both go on where one was going', async () => {
      const sub = outsider({ email_verified: true, given_name: 'Per', family_name: 'Son' })
      const browser = browserAt()
      const page = await goThrough(browser, '/login?returnTo=%2Faccount%2Fsecurity')
      expect(new URL(page.url).pathname).toBe('/account/security')
      expect(browser.cookies.has(SESSION)).toBe(true)
      const first = await identityOf(sub)
      expect(first).toMatchObject({ provider: standIn.origin, emailVerified: true })
      expect(first?.user).toMatchObject({
        name: `Person ${people}`,
        email: `${sub}@in.test`,
        emailVerified: true,
        adminRole: null,
        profile: { given_name: 'Per', family_name: 'Son' },
      })
      const again = browserAt(closed)
      await goThrough(again)
      expect(again.cookies.has(SESSION)).toBe(true)
      expect((await identityOf(sub))?.userId).toBe(first?.userId)
      const method = { method: 'upstream', issuer: standIn.origin }
      expect(await eventsOf(first?.userId ?? '')).toEqual([
        { event: 'user.registered', detail: method },
        { event: 'login.succeeded', detail: method },
        { event: 'login.succeeded', detail: method },
      ])
      const session = await db.db.session.findFirst({ where: { userId: first?.userId ?? '' } })
      expect(session).toMatchObject({ acr: 'pwd', amr: ['fed'] })
    })

    test('an address that the provider does not vouch for stays unverified', async () => {
      const sub = outsider()
      await goThrough(browserAt())
      expect((await identityOf(sub))?.user).toMatchObject({
        email: `${sub}@in.test`,
        emailVerified: false,
      })
      // Where there is no mail server a letter is printed, by whichever instance was first.
      const printed = () => open.output() + closed.output()
      await expect.poll(printed).toContain(`Mail to ${sub}@in.test`)
    })

    test('eight first visits at the same moment make one account', async () => {
      const sub = outsider({ email_verified: true })
      const before = await userCount()
      const browsers = Array.from({ length: 8 }, () => browserAt())
      const ways = await Promise.all(
        browsers.map(async (browser) => leave(browser, await browser.open('/login'), 'stand-in')),
      )
      const backs = await Promise.all(ways.map(({ url }) => backFrom(url)))
      await Promise.all(browsers.map((browser, at) => browser.open(backs[at] ?? '')))
      expect(browsers.filter(({ cookies }) => cookies.has(SESSION))).toHaveLength(8)
      expect(await userCount()).toBe(before + 1)
      const userId = (await identityOf(sub))?.userId ?? ''
      expect(await db.db.session.count({ where: { userId } })).toBe(8)
    })

    test.each(['open', 'closed'])(
      '%s registration: a verified address leads into no account',
      async (name) => {
        const browser = browserAt(name === 'open' ? open : closed)
        const sub = outsider({ email_verified: true })
        const userId = await resident(`${sub}@in.test`)
        const page = await goThrough(browser)
        refused(browser, page, 'address_taken', 'connect Stand-in under Security')
        expect(await db.db.identity.count({ where: { userId } })).toBe(0)
        expect(await identityOf(sub)).toBeNull()
      },
    )

    test.each(['open', 'closed'])(
      '%s registration: nor does an unverified one, and nothing says whose it is',
      async (name) => {
        const browser = browserAt(name === 'open' ? open : closed)
        const sub = outsider()
        await resident(`${sub}@in.test`.toUpperCase())
        const page = await goThrough(browser)
        refused(browser, page, 'unknown', 'No account here is connected to this Stand-in account')
        expect(await identityOf(sub)).toBeNull()
      },
    )

    test('closed registration: an unknown person is told so, and no account is made', async () => {
      const sub = outsider({ email_verified: true })
      const before = await userCount()
      const browser = browserAt(closed)
      const page = await goThrough(browser, '/login?returnTo=%2Faccount')
      refused(browser, page, 'unknown', 'No account here is connected to this Stand-in account')
      expect(new URL(page.url).searchParams.get('returnTo')).toBe('/account')
      expect([await identityOf(sub), await userCount()]).toEqual([null, before])
    })

    test('M1: a disabled account looks like none', async () => {
      const sub = outsider()
      await goThrough(browserAt())
      const { userId = '' } = (await identityOf(sub)) ?? {}
      await db.db.user.update({ where: { id: userId }, data: { disabledAt: new Date() } })
      const browser = browserAt()
      refused(browser, await goThrough(browser), 'unknown', 'No account here')
      const failures = await db.db.auditEntry.findMany({ where: { event: 'login.failed' } })
      expect(failures.at(-1)?.detail).toMatchObject({ method: 'upstream', problem: 'unknown' })
    })

    test('M2: unvouched addresses cannot be tried out without end', async () => {
      const problems = []
      for (let i = 0; i < 5; i += 1) {
        outsider({ email: 'one-and-the-same@in.test' })
        const browser = browserAt()
        const page = await goThrough(browser)
        problems.push(new URL(page.url).searchParams.get('problem'))
      }
      expect(problems).toEqual([null, 'unknown', 'unknown', 'slow_down', 'slow_down'])
    })
  })

  describe('M30: connecting', () => {
    test('asked for while signed in and confirmed; from then on it signs in to that account', async () => {
      const sub = outsider({ email: 'quite-another@in.test', email_verified: true })
      const userId = await resident(`resident-${people}@example.org`)
      const browser = await confirmed(`resident-${people}@example.org`)
      const before = browser.cookies.get(SESSION)
      const page = await goThrough(browser, '/account/security/identities')
      expect(page.url).toContain('/account/security?done=identityLinked')
      expect(page.html).toContain('quite-another@in.test')
      // M9: the session's secret is a new one.
      expect(browser.cookies.get(SESSION)).not.toBe(before)
      expect(await identityOf(sub)).toMatchObject({ userId, user: { emailVerified: true } })
      expect((await identityOf(sub))?.user.email).toBe(`resident-${people}@example.org`)
      const events = (await eventsOf(userId)).map(({ event }) => event)
      expect(events).toContain('identity.linked')

      const elsewhere = browserAt(closed)
      await goThrough(elsewhere)
      expect((await elsewhere.open('/account')).html).toContain(`resident-${people}@example.org`)
    })

    test('the page and the action want somebody who has confirmed it', async () => {
      outsider()
      await resident(`resident-${people}@example.org`)
      const ready = await confirmed(`resident-${people}@example.org`)
      const form = await ready.open('/account/security/identities')
      expect((await leave(browserAt(), form, 'stand-in')).url).toContain('/login?returnTo=')
      const unconfirmed = await withPassword(`resident-${people}@example.org`)
      expect((await leave(unconfirmed, form, 'stand-in')).url).toContain('/account/confirm?')
    })

    test('what is somebody else’s stays theirs', async () => {
      const sub = outsider()
      await goThrough(browserAt())
      const owner = (await identityOf(sub))?.userId
      await resident(`resident-${people}@example.org`)
      const browser = await confirmed(`resident-${people}@example.org`)
      const page = await goThrough(browser, '/account/security/identities')
      expect(page.html).toContain('connected to another account here')
      expect((await identityOf(sub))?.userId).toBe(owner)
    })

    test('begun in one session, it is not finished in another', async () => {
      const sub = outsider()
      await resident(`resident-${people}@example.org`)
      const browser = await confirmed(`resident-${people}@example.org`)
      const there = await leave(
        browser,
        await browser.open('/account/security/identities'),
        'stand-in',
      )
      const other = await withPassword(`resident-${people}@example.org`)
      browser.cookies.set(SESSION, other.cookies.get(SESSION) ?? '')
      await browser.open(await backFrom(there.url))
      expect(await identityOf(sub)).toBeNull()
    })

    test('the last way in cannot be taken away; another one can, once it is confirmed', async () => {
      const sub = outsider({ email_verified: true })
      const browser = browserAt()
      await goThrough(browser)
      const { userId = '' } = (await identityOf(sub)) ?? {}
      const disconnect = async () => {
        const page = await browser.open('/account/security')
        return browser.submit(formWith(page, 'Disconnect this account'), {})
      }
      // No password: confirming is signing in there again, and it is asked to make sure.
      const question = await disconnect()
      expect(question.url).toContain('/account/confirm?')
      expect(question.html).not.toContain('type="password"')
      const there = await leave(browser, question, 'stand-in')
      const back = await browser.open(await backFrom(there.url))
      expect(standIn.asked).toMatchObject({ prompt: 'login', max_age: '0' })
      expect(back.url).toContain('/account/security')
      expect((await disconnect()).html).toContain('your only sign-in method')
      await db.db.passwordCredential.create({
        data: { userId, hash: passwordHash, changedAt: new Date() },
      })
      expect((await disconnect()).url).toContain('done=identityUnlinked')
      expect(await identityOf(sub)).toBeNull()
      expect((await eventsOf(userId)).at(-1)?.event).toBe('identity.unlinked')
    })

    test('confirming takes one’s own account there, and signing in just now', async () => {
      const sub = outsider()
      const browser = browserAt()
      await goThrough(browser)
      const { person } = standIn.script
      const confirm = '/account/confirm?returnTo=%2Faccount%2Fsecurity'
      outsider()
      expect((await goThrough(browser, confirm)).html).toContain('is not the Stand-in account')
      const longAgo = Math.floor(Date.now() / 1000) - 3_600
      standIn.script = { person, idToken: { auth_time: longAgo } }
      expect((await goThrough(browser, confirm)).url).toContain('problem=not_fresh')
      standIn.script = { person, idToken: { auth_time: Math.floor(Date.now() / 1000) } }
      expect(new URL((await goThrough(browser, confirm)).url).pathname).toBe('/account/security')
      const { userId = '' } = (await identityOf(sub)) ?? {}
      // Those that failed are written a moment later.
      await expect
        .poll(async () => {
          const events = await eventsOf(userId)
          return events.filter(({ event }) => event === 'account.confirmed').length
        })
        .toBe(3)
    })
  })

  test('whose address belongs to an organisation is led there first, others are not', async () => {
    const at = async (identifier: string) => {
      const { html } = await browserAt().open(`/login?${new URLSearchParams({ identifier })}`)
      return /<button[^>]*value="stand-in"/.test(html)
    }
    expect(await at('Ann@IN.test')).toBe(true)
    expect(await at('ann@elsewhere.test')).toBe(false)
    expect(await at('ann')).toBe(false)
  })
})
