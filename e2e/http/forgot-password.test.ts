import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { usually } from '../support/databases'
import { aliceAtWeb, exchange, getCode, refresh, webRequest } from '../support/flow'
import {
  browser,
  forgot,
  noMoreOrders,
  op,
  PASSWORD,
  portal,
  resetLink,
  send,
  server,
  signIn,
  somebody,
  startMail,
} from '../support/mail-portal'
import type { Page } from '../support/old-browser'
import { linkIn } from '../support/smtp'

/** A nonce of the policy and Next's own ids differ from answer to answer. */
function masked(text: string): string {
  return text.replaceAll(/nonce-[^']+|nonce="[^"]+"/g, 'nonce')
}

describe.each(usually('sqlite'))('a forgotten password on %s', (kind) => {
  startMail(kind)

  describe('a forgotten password', () => {
    test('from the sign-in page to a new password and back to where one was going', async () => {
      const email = await somebody()
      const login = await browser().open(`/login?identifier=${email}&returnTo=%2Flogout`)
      expect(login.html).toMatch(/href="\/forgot\?[^"]*returnTo=%2Flogout[^"]*"/)
      const link = await resetLink(email, '?returnTo=%2Flogout')
      expect(link).toMatch(
        new RegExp(`^${portal.origin}/reset\\?token=ghlk_\\S+returnTo=%2Flogout$`),
      )
      for (let look = 0; look < 3; look += 1) {
        expect((await browser().open(link)).html).toContain('Set a new password')
      }
      const before = server.received.length
      const answer = await send(await browser().open(link), { password: PASSWORD })
      expect([answer.status, answer.location]).toEqual([303, '/reset/done?returnTo=%2Flogout'])
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect((await browser().open(answer.location ?? '')).html).toContain(
        'href="/login?returnTo=%2Flogout"',
      )
      expect(await signIn(email, PASSWORD)).toBe(true)
      expect((await server.lastTo(email, before)).subject).toBe('Your password was changed')
      expect((await browser().open(link)).html).toContain('no longer works')
      const { id, emailVerified } = await op.db.user.findUniqueOrThrow({
        where: { emailKey: email },
      })
      expect(emailVerified).toBe(true)
      const events = await op.db.auditEntry.findMany({ where: { actorId: id } })
      expect(events.map(({ event }) => event)).toContain('password.reset')
    })

    test('ends every session and every token grant of that user, and of nobody else', async () => {
      const alice = await aliceAtWeb(portal)
      const tokens = JSON.parse(
        (await exchange(portal, await getCode(alice, webRequest(portal.demo())))).body,
      )
      const [, bob] = portal.demo().users
      const other = browser()
      await other.signIn(await other.open('/login'), bob ?? { email: '', password: '' })
      const link = await resetLink(portal.demo().users[0]?.email ?? '')
      await send(await browser().open(link), { password: PASSWORD })
      expect((await refresh(portal, tokens.refresh_token)).status).toBe(400)
      expect((await alice.open('/')).html).not.toContain('You’re signed in')
      expect((await other.open('/')).html).toContain('You’re signed in')
    })

    test('M25: of 20 that send one link at once, one wins', async () => {
      const email = await somebody()
      const page = await browser().open(await resetLink(email))
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => send(page, { password: `${PASSWORD} ${i}` })),
      )
      const winners = answers.flatMap(({ location }, i) => (location ? [i] : []))
      expect(winners).toHaveLength(1)
      expect(await signIn(email, `${PASSWORD} ${winners[0]}`)).toBe(true)
    })

    test('M25: a used link closes the others; an expired one, one for another address and one of another purpose are closed', async () => {
      const email = await somebody()
      const links = [await resetLink(email), await resetLink(email), await resetLink(email)]
      const hashOf = (link = '') => op.hashSecret(new URL(link).searchParams.get('token') ?? '')
      const pages = await Promise.all(links.map((link) => browser().open(link)))
      const isRefused = async (page: Page | undefined) =>
        page !== undefined && (await send(page, { password: PASSWORD })).location === null

      const past = { data: { expiresAt: new Date(Date.now() - 1) } }
      await op.db.oneTimeLink.update({ where: { tokenHash: hashOf(links[0]) }, ...past })
      expect(await isRefused(pages[0])).toBe(true)
      const verify = { data: { purpose: 'verify' } }
      await op.db.oneTimeLink.update({ where: { tokenHash: hashOf(links[1]) }, ...verify })
      expect(await isRefused(pages[1])).toBe(true)
      const emailKey = `moved-${email}`
      await op.db.user.update({
        where: { emailKey: email },
        data: { email: emailKey, emailKey },
      })
      expect(await isRefused(pages[2])).toBe(true)
      expect(await signIn(emailKey, PASSWORD)).toBe(false)
    })

    test('M28: a password that is short, long or repeated is refused, and the link stays good', async () => {
      const email = await somebody()
      const page = await browser().open(await resetLink(email))
      for (const password of ['', 'short', 'x'.repeat(1025), 'aaaaaaaaaaaaaaaaaaaa']) {
        const { status, location, body } = await send(page, { password })
        expect([status, location]).toEqual([200, null])
        expect(body).toContain('aria-invalid="true"')
      }
      expect((await send(page, { password: PASSWORD })).location).toBe('/reset/done')
    })

    test('M1: known, unknown, disabled and nonsense get one answer', async () => {
      const off = await somebody()
      const now = op.now()
      await op.db.user.update({ where: { emailKey: off }, data: { disabledAt: now } })
      await noMoreOrders()
      const before = server.received.length
      const known = await somebody()
      const names = [known, 'nobody@example.com', off, 'nobody', 'a@x.org,b@y.org', 'a\u0001b']
      const answers = await Promise.all(names.map((name) => forgot(name)))
      const seen = answers.map(({ status, body, headers }) => ({
        status,
        body: masked(body),
        headers: [...headers]
          .filter(([name]) => !['date', 'x-request-id'].includes(name))
          .map(([name, value]) => [name, masked(value)]),
      }))
      for (const one of seen) expect(one).toEqual(seen[0])
      expect(answers[0]).toMatchObject({ status: 303, location: '/forgot/sent' })
      await server.lastTo(known, before)
      await noMoreOrders()
      expect(server.received.slice(before).flatMap(({ to }) => to)).toEqual([known])
    })

    test('M26: no header and no second recipient comes out of what was typed', async () => {
      const email = await somebody()
      await noMoreOrders()
      const before = server.received.length
      for (const typed of [
        `${email}\r\nBcc: evil@example.org`,
        `${email},evil@example.org`,
        `${email} evil@example.org`,
      ]) {
        await forgot(typed)
      }
      await forgot(email.replace('@', '＠').toUpperCase())
      const mail = await server.lastTo(email, before)
      await noMoreOrders()
      expect(server.received.slice(before).flatMap(({ to }) => to)).toEqual([email])
      expect(mail.raw).not.toMatch(/evil|^bcc:/im)
    })

    test('M25: the link is the issuer’s, whatever Host says', async () => {
      const { hostname, port } = new URL(portal.origin)
      for (const host of ['evil.example', `evil.example:${port}`]) {
        const { status } = await ask(portal.origin, { path: '/forgot', headers: { host } })
        expect(status).toBe(421)
      }
      const email = await somebody()
      const before = server.received.length
      const refused = await forgot(email, { 'x-forwarded-host': 'evil.example' })
      expect(refused.location).toBeNull()
      await forgot(email, { forwarded: 'host=evil.example', 'x-original-host': 'evil.example' })
      const mail = await server.lastTo(email, before)
      expect(mail.raw).not.toContain('evil.example')
      expect(new URL(linkIn(mail)).hostname).toBe(hostname)
    })

    test('M2: one name is slowed down after 3, known or not, and one network after 20', async () => {
      for (const name of [await somebody(), 'outsider@example.com']) {
        for (let i = 0; i < 3; i += 1) expect((await forgot(name)).status).toBe(303)
        const slowed = await forgot(name)
        expect(slowed.location).toBeNull()
        expect(slowed.body).toMatch(/Please wait \d+ minutes?/)
      }
      const one = { 'x-forwarded-for': '203.0.113.9' }
      for (let i = 0; i < 20; i += 1) {
        expect((await forgot(`n${i}@example.com`, one)).status).toBe(303)
      }
      expect((await forgot('n20@example.com', one)).body).toMatch(/Please wait \d+ minutes?/)
      expect((await forgot('n20@example.com')).status).toBe(303)
    })
  })
})
