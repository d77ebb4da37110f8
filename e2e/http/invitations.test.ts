import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../lib/base/time'
import {
  api,
  browser,
  portal as mailPortal,
  NEXT,
  op,
  PASSWORD,
  rowOf,
  send,
  server,
  signedIn,
  startAccounts,
  tokenHashOf,
} from '../support/accounts'
import { ADMIN_SCOPES, type Call, caller, machineToken } from '../support/api'
import { ask } from '../support/ask'
import { usually } from '../support/databases'
import { copyDemo } from '../support/demo-folders'
import { temporaryFolder } from '../support/folder'
import { formWith, OldBrowser, type Page } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { linkIn } from '../support/smtp'

describe.each(usually('sqlite'))('invitations on %s', (kind) => {
  startAccounts(kind)

  describe('an invitation', () => {
    async function invitee(more: object = {}): Promise<{ id: string; email: string }> {
      const email = `${crypto.randomUUID()}@example.org`
      const { status, json } = await api('POST', '/users', { name: 'Ivo', email, ...more })
      expect(status).toBe(201)
      return { id: json.id, email }
    }

    const inviteBy = (call: Call, id: string, body: object = {}) =>
      call('POST', `/users/${id}/invitation`, body)

    test('M25: leads to a password of their own, by mail; looking spends nothing, and it works once', async () => {
      const { id, email } = await invitee()
      const before = server.received.length
      const answer = await inviteBy(api, id, { locale: 'zh-Hans' })
      expect([answer.status, answer.json.link]).toEqual([201, null])
      const week = new Date(answer.json.expiresAt).getTime() - Date.now()
      expect(Math.round(week / DAY_MS)).toBe(7)
      const letter = await server.lastTo(email, before)
      expect(letter.subject).toBe('邀请您加入')
      const link = linkIn(letter)
      const stored = await op.db.oneTimeLink.findFirstOrThrow({ where: { userId: id } })
      expect(stored).toMatchObject({ tokenHash: tokenHashOf(link), purpose: 'invite', email })
      for (let look = 0; look < 3; look += 1) {
        expect((await browser().open(link)).html).toContain(email)
      }
      const page = await browser().open(link)
      for (const password of ['', 'short', 'x'.repeat(1025), '1qaz2wsx3edc4rfv']) {
        expect((await send(page, { password })).location).toBeNull()
      }
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => send(page, { password: `${PASSWORD} ${i}` })),
      )
      const winners = answers.flatMap(({ location }, i) => (location ? [i] : []))
      expect(winners).toHaveLength(1)
      expect(await rowOf({ id })).toMatchObject({ emailVerified: true })
      const person = await signedIn({ id, email, password: `${PASSWORD} ${winners[0]}` })
      expect(person.cookies.has('gatehouse.session')).toBe(true)
      expect((await browser().open(link)).html).toContain('no longer works')
      expect((await send(page, { password: NEXT })).location).toBeNull()
      expect((await inviteBy(api, id)).status).toBe(409)
    })

    test('is also answered, once, to whoever asks for it; of two links one opens the account', async () => {
      const { id, email } = await invitee()
      const before = server.received.length
      const { json } = await inviteBy(api, id, { returnLink: true })
      const mailed = linkIn(await server.lastTo(email, before))
      expect(json.link).toMatch(new RegExp(`^${mailPortal.origin}/invite\\?token=ghlk_`))
      expect(json.link).not.toBe(mailed)
      const pages = [await browser().open(json.link), await browser().open(mailed)]
      const answers = await Promise.all(pages.map((page) => send(page, { password: NEXT })))
      expect(answers.map(({ location }) => location).sort()).toEqual(['/invite/done', null])
      const log = await op.db.auditEntry.findMany({ where: { targetId: id } })
      expect(log.map(({ event }) => event)).toEqual(
        expect.arrayContaining(['user.created', 'user.invited', 'invitation.accepted']),
      )
      expect(JSON.stringify(log.map(({ detail }) => detail))).not.toContain('ghlk_')
    })

    test('M25: is closed when it has expired, when a newer one was sent, when the address is another, and for a disabled user', async () => {
      const linkFor = async (id: string) => {
        const { json } = await inviteBy(api, id, { returnLink: true })
        return { link: json.link as string, page: await browser().open(json.link) }
      }
      const isClosed = async ({ link, page }: Awaited<ReturnType<typeof linkFor>>) => {
        expect((await send(page, { password: NEXT })).location).toBeNull()
        return (
          (await op.db.passwordCredential.count({
            where: { user: { links: { some: { tokenHash: tokenHashOf(link) } } } },
          })) === 0
        )
      }
      const expired = await linkFor((await invitee()).id)
      await op.db.oneTimeLink.update({
        where: { tokenHash: tokenHashOf(expired.link) },
        data: { expiresAt: new Date(Date.now() - 1) },
      })
      expect(await isClosed(expired)).toBe(true)

      const twice = await invitee()
      const older = await linkFor(twice.id)
      await linkFor(twice.id)
      expect(await isClosed(older)).toBe(true)

      const moved = await invitee()
      const elsewhere = await linkFor(moved.id)
      const email = `moved-${moved.email}`
      await op.db.user.update({ where: { id: moved.id }, data: { email, emailKey: email } })
      expect(await isClosed(elsewhere)).toBe(true)

      const off = await invitee()
      const late = await linkFor(off.id)
      await op.db.user.update({ where: { id: off.id }, data: { disabledAt: new Date() } })
      expect(await isClosed(late)).toBe(true)
      expect((await inviteBy(api, off.id)).status).toBe(409)
    })

    test('N1, N5: is for callers who may change users, and for nobody above them', async () => {
      const { id } = await invitee()
      const reader = caller(mailPortal, await machineToken(mailPortal, 'users:read'))
      expect((await inviteBy(reader, id)).status).toBe(403)
      expect((await inviteBy(caller(mailPortal, null), id)).status).toBe(401)
      expect((await inviteBy(api, 'usr_nobody')).status).toBe(404)
      expect((await inviteBy(api, id, { link: 'x' })).status).toBe(400)
      expect(
        (await inviteBy(api, (await invitee({ email: null, username: `u${Date.now()}` })).id))
          .status,
      ).toBe(409)
      const owner = await invitee()
      await op.db.user.update({ where: { id: owner.id }, data: { adminRole: 'owner' } })
      const admin = caller(mailPortal, await machineToken(mailPortal, ADMIN_SCOPES))
      expect((await inviteBy(admin, owner.id, { returnLink: true })).status).toBe(403)
    })
  })

  test('where mail is sent, nobody reads it here', async () => {
    const { status, json } = await api('GET', '/outbox')
    expect([status, json.detail]).toEqual([
      403,
      'Mail can be read here only in development without a mail server.',
    ])
  })
})

describe('where mail is off', () => {
  const ADDRESS = 'cleo@link.example'

  /** Of what a page shows, the link that is nowhere else. */
  const linkOn = ({ html }: Page) =>
    /https:\/\/id\.example\.com(\/invite\?token=ghlk_[\w-]+)/.exec(html)

  let portal: Portal

  beforeAll(async () => {
    const [PORT, DATA_DIR] = [String(await freePort()), temporaryFolder()]
    copyDemo(DATA_DIR, undefined)
    const place = { ISSUER: 'https://id.example.com', ALLOWED_HOSTS: `localhost:${PORT}` }
    portal = await startPortal({ env: { ...place, DATA_DIR, PORT } })
  })
  afterAll(() => portal.stop())

  test('in production without a mail server: it is said, and not held against anybody', async () => {
    const ready = await ask(portal.origin, { path: '/readyz' })
    expect([ready.status, JSON.parse(ready.body).mail]).toEqual([200, 'off'])
    const headers = { host: 'id.example.com', 'accept-language': 'en' }
    const page = await ask(portal.origin, { path: '/forgot', headers })
    expect(page.body).toContain('can’t send mail')
  })

  test('M25: an admin copies the link from the page, which shows it once and warns; it leads to a password', async () => {
    const admin = new OldBrowser(portal.origin)
    await admin.signIn(await admin.open('/login'), portal.demo().admin)
    const form = await admin.open('/admin/users/new')
    expect(form.html).toContain('No mail server is set, so no mail is sent.')
    expect(form.html).not.toContain('Send an invitation by mail')
    const shown = await admin.submit(form, { name: 'Cleo', email: ADDRESS, invite: 'yes' })
    expect(linkOn(shown)).not.toBeNull()
    const id = /\/admin\/users\/(usr_(?!demo)[\w-]+)/.exec(shown.html)?.[1]
    const added = await admin.open(`/admin/users/${id}/access`)
    expect(added.html).not.toContain('Send an invitation')

    const made = await admin.submit(formWith(added, 'Copy an invitation link'), {})
    expect(made.html).toContain('Save this now.')
    expect(made.html).toContain('Whoever has the link can take over the account.')
    const path = linkOn(made)?.[1] ?? ''
    expect(linkOn(await admin.open(added.url))).toBeNull()

    const invited = new OldBrowser(portal.origin)
    const welcome = await invited.open(path)
    expect(welcome.html).toContain('invites you to')
    expect((await invited.submit(welcome, { password: PASSWORD })).html).toContain(
      'You are signed in.',
    )
    expect((await invited.open('/account')).html).toContain('Cleo')
    expect((await admin.open(added.url)).html).not.toContain('invitation link')

    const log = await admin.open(`/admin/audit?targetId=${id}&event=user.invited`)
    expect(log.html).toContain('usr_demo_admin')
    expect(log.html).not.toContain('ghlk_')
  })
})
