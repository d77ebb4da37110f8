import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../lib/store/database/database'
import { usually } from '../support/databases'
import {
  browser,
  noMoreOrders,
  op,
  PASSWORD,
  resetLink,
  send,
  server,
  somebody,
  startMail,
} from '../support/mail-portal'
import { OldBrowser } from '../support/old-browser'
import { startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { FROM } from '../support/shared-portal'
import { linkIn, startMailServer } from '../support/smtp'

describe.each(usually('sqlite'))('mail on %s', (kind) => {
  startMail(kind)

  test('a signed-in person gets another link to confirm their address, three times', async () => {
    const email = await somebody()
    const link = await resetLink(email)
    await send(await browser().open(link), { password: PASSWORD })
    const where = { emailKey: email }
    await op.db.user.update({ where, data: { emailVerified: false } })
    const outsider = await browser().open('/verify')
    expect(new URL(outsider.url).pathname).toBe('/login')
    const person = browser()
    await person.signIn(await person.open('/login'), { email, password: PASSWORD })
    await noMoreOrders()
    const before = server.received.length
    for (let i = 0; i < 3; i += 1) {
      const sent = await person.submit(await person.open('/verify'), {})
      expect(new URL(sent.url).pathname).toBe('/verify/sent')
    }
    const slowed = await person.submit(await person.open('/verify'), {})
    expect(slowed.html).toMatch(/Please wait \d+ minutes?/)
    const page = await person.open(linkIn(await server.lastTo(email, before)))
    expect(new URL((await person.submit(page, {})).url).pathname).toBe('/verify/done')
    expect((await op.db.user.findUniqueOrThrow({ where })).emailVerified).toBe(true)
    expect((await person.open('/verify')).html).toContain('already confirmed')
  })
})

test('what was ordered before a kill -9, with the server away, is delivered once after it', async () => {
  const port = await freePort()
  const mail = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: FROM }
  const killed = await startPortal({ args: ['--demo'], env: mail })
  const [{ email = '' } = {}] = killed.demo().users
  const forgot = await new OldBrowser(killed.origin).open('/forgot')
  expect((await new OldBrowser(killed.origin).submit(forgot, { identifier: email })).status).toBe(
    200,
  )
  killed.signal('SIGKILL')
  await killed.exited
  const portal = await startPortal({ env: killed.env })
  const db = await openDatabase(`file:${join(portal.dataDir, 'gatehouse.db')}`)
  const { id } = await db.outboxMessage.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
  const error = async () => (await db.outboxMessage.findUniqueOrThrow({ where: { id } })).lastError
  await expect.poll(error).toMatch(/^smtp E/)
  const late = await startMailServer({ port })
  const person = new OldBrowser(portal.origin)
  const page = await person.open(linkIn(await late.lastTo(email)))
  const open = { where: { kind: 'mail', deliveredAt: null, failedAt: null } }
  await expect.poll(() => db.outboxMessage.count(open)).toBe(0)
  expect(late.received.map(({ to }) => to)).toEqual([[email]])
  expect((await person.submit(page, { password: PASSWORD })).url).toContain('/reset/done')
  await late.lastTo(email, 1)
  await db.$disconnect()
  await portal.stop()
  await late.close()
})
