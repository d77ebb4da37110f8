import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freshDatabase, usually } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { freePort } from '../../../e2e/support/postgres'
import { linkIn, type MailServer, startMailServer } from '../../../e2e/support/smtp'
import { createOp, type OpenOp } from '../../op'
import { readConfig } from '../../settings/config'
import { createUser } from '../../store/accounts/users'
import { migrate } from '../../store/operations/migrations'
import { deliverDue } from '../deliver'
import { type Order, orderMail } from './order'
import { asHtml, asText } from './template'

type OpenPortal = OpenOp

const LETTER = {
  from: 'Gatehouse',
  locale: 'en',
  subject: 'A & B',
  greeting: 'Hello <img src=x onerror=alert(1)>,',
  paragraphs: ['"quoted"'],
  button: { label: 'Go', href: 'https://id.example/?a=1&b="x"' },
  notes: [],
} as const

test('M26: what people call themselves is escaped, and nothing is fetched', () => {
  const html = asHtml({ ...LETTER, paragraphs: [...LETTER.paragraphs], notes: [] })
  expect(html).toContain('Hello &lt;img src=x onerror=alert(1)&gt;,')
  expect(html).toContain('href="https://id.example/?a=1&amp;b=&quot;x&quot;"')
  expect(html).not.toMatch(/<(img|link|script|style|iframe)|src=["']|url\(/i)
  expect(asText({ ...LETTER, paragraphs: [], notes: [] })).toContain(LETTER.button.href)
})

describe.each(usually('sqlite'))('mail on %s', (kind) => {
  let url: string
  let server: MailServer
  let time = Date.now()

  beforeAll(async () => {
    url = await freshDatabase[kind]()
    await migrate(url)
    server = await startMailServer({ refuse: (to) => (to.startsWith('gone') ? 550 : null) })
    const portal = await open({})
    await portal.write(async (tx) => {
      for (const name of ['ann', 'gone']) {
        const email = `${name}@example.com`
        const rest = { emailVerified: false, adminRole: null, passwordHash: 'x' }
        await createUser(tx, { id: `usr_${name}`, name, email, ...rest }, portal.now())
      }
    })
    await portal.close()
  })

  afterAll(() => server.close())

  async function open(env: Record<string, string>): Promise<OpenPortal> {
    const common = { DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    const GATEHOUSE_SECRET = 'a-test-secret-of-sufficient-length-0123456789'
    return createOp(readConfig({ ...common, GATEHOUSE_SECRET, ...env }), () => new Date(time))
  }

  const viaServer = (port = server.port) =>
    open({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Example ID <id@example.com>' })

  const reset = (identifier: string): Order => ({
    letter: 'reset',
    identifier,
    locale: 'en',
    returnTo: '/oidc/auth/int_x',
  })
  async function order(portal: OpenPortal, wanted: Order): Promise<void> {
    time += 1 // the newest is the newest
    await portal.write((tx) => orderMail(portal, tx, wanted))
  }
  const newest = (portal: OpenPortal) =>
    portal.db.outboxMessage.findFirstOrThrow({ orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })

  test('is sent once, with text and HTML, and the link is stored by its hash', async () => {
    const portal = await viaServer()
    const before = server.received.length
    await order(portal, reset('ANN@example.com '))
    await deliverDue(portal)
    expect(await deliverDue(portal)).toBe(0)
    expect(server.received).toHaveLength(before + 1)
    const mail = await server.lastTo('ann@example.com', before)
    expect([mail.from, mail.subject]).toEqual(['id@example.com', 'Set a new password'])
    expect(mail.raw).toMatch(/^Message-ID: <out_\S+@localhost>\r$/m)
    expect(mail.raw).toContain('multipart/alternative')
    expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    const link = new URL(linkIn(mail))
    expect([link.origin, link.pathname]).toEqual([portal.origin, '/reset'])
    expect(link.searchParams.get('returnTo')).toBe('/oidc/auth/int_x')
    const tokenHash = portal.hashSecret(link.searchParams.get('token') ?? '')
    const row = await portal.db.oneTimeLink.findUniqueOrThrow({ where: { tokenHash } })
    expect(row).toMatchObject({ purpose: 'reset', userId: 'usr_ann', email: 'ann@example.com' })
    expect(row.expiresAt.getTime() - time).toBe(30 * 60_000)
    expect((await newest(portal)).payloadEncrypted).not.toContain('ann@example.com')
    await portal.close()
  })

  test('M1: for nobody there is an order and no mail', async () => {
    const portal = await viaServer()
    const before = server.received.length
    for (const nobody of ['nobody@example.com', 'ann\u0000@example.com']) {
      await order(portal, reset(nobody))
      await deliverDue(portal)
      expect(await newest(portal)).toMatchObject({ deliveredAt: null, cancelledAt: new Date(time) })
    }
    expect(server.received).toHaveLength(before)
    await portal.close()
  })

  test('a server that is down is tried again later, with the same link; one time it is too late', async () => {
    const port = await freePort()
    const portal = await viaServer(port)
    await order(portal, reset('ann@example.com'))
    await deliverDue(portal)
    const { id, ...waiting } = await newest(portal)
    expect(waiting).toMatchObject({ deliveredAt: null, failedAt: null, attempts: 1 })
    expect(waiting.lastError).toMatch(/^smtp \w+/)
    const links = await portal.db.oneTimeLink.count()
    const late = await startMailServer({ port })
    expect(await deliverDue(portal)).toBe(0)
    time += 6_000
    await deliverDue(portal)
    expect(late.received).toHaveLength(1)
    expect(late.received[0]?.raw).toContain(`<${id}@`)
    expect(await portal.db.oneTimeLink.count()).toBe(links)
    await late.close()

    await order(portal, reset('ann@example.com'))
    await deliverDue(portal)
    time += 31 * 60_000
    await deliverDue(portal)
    expect((await newest(portal)).lastError).toBe('the mail has expired and was not sent')
    await portal.close()
  })

  test('an address that the server refuses for good is given up at once', async () => {
    const portal = await viaServer()
    await order(portal, reset('gone@example.com'))
    await deliverDue(portal)
    expect(await newest(portal)).toMatchObject({
      attempts: 1,
      failedAt: new Date(time),
      lastError: 'smtp EENVELOPE 550',
    })
    await portal.close()
  })

  test('without a server it is printed in development, and nothing is kept in production', async () => {
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const portal = await open({})
    await order(portal, reset('ann@example.com'))
    await deliverDue(portal)
    const printed = said.mock.calls.join('')
    said.mockRestore()
    expect(printed).toMatch(/Mail to ann@example\.com[\s\S]+http:\/\/localhost:3000\/reset\?token=/)
    const kept = await portal.db.outboxMessage.count()
    await portal.close()

    const real = await open({ ISSUER: 'https://id.example.com' })
    await order(real, reset('ann@example.com'))
    expect(await real.db.outboxMessage.count()).toBe(kept)
    await real.close()
  })
})
