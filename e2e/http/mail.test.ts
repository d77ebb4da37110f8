import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { usually } from '../support/databases'
import {
  browser,
  forgot,
  noMoreOrders,
  op,
  PASSWORD,
  portal,
  resetLink,
  restart,
  send,
  server,
  somebody,
  startMail,
} from '../support/mail-portal'
import { startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { linkIn, startMailServer } from '../support/smtp'

test('in production without a server mail is off, which is said and not held against anybody', async () => {
  const portal = await startPortal({ env: { ISSUER: 'https://id.example.com' } })
  const ready = await ask(portal.origin, { path: '/readyz' })
  expect([ready.status, JSON.parse(ready.body).mail]).toEqual([200, 'off'])
  const headers = { host: 'id.example.com', 'accept-language': 'en' }
  const page = await ask(portal.origin, { path: '/forgot', headers })
  expect(page.body).toContain('can’t send mail')
  await portal.stop()
})

describe.each(usually('sqlite'))('mail on %s', (kind) => {
  startMail(kind, { own: true })

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

  test('what was ordered before a kill -9, with the server away, is delivered once after it', async () => {
    const port = await freePort()
    const env = { ...portal.env, SMTP_URL: `smtp://127.0.0.1:${port}` }
    const email = await somebody()
    await portal.stop()
    await restart(env)
    expect((await forgot(email)).status).toBe(303)
    portal.signal('SIGKILL')
    await portal.exited
    await restart(env)
    const { id } = await op.db.outboxMessage.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    const error = async () =>
      (await op.db.outboxMessage.findUniqueOrThrow({ where: { id } })).lastError
    await expect.poll(error, { timeout: 40_000 }).toMatch(/^smtp E/)
    const late = await startMailServer({ port })
    const page = await browser().open(linkIn(await late.lastTo(email)))
    await noMoreOrders()
    expect(late.received.map(({ to }) => to)).toEqual([[email]])
    expect((await send(page, { password: PASSWORD })).location).toBe('/reset/done')
    await late.lastTo(email, 1)
    await late.close()
  })
})
