import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { freePort } from '../../../e2e/support/postgres'
import { linkIn, type MailServer, startMailServer } from '../../../e2e/support/smtp'
import { createOp, type OpenOp } from '../../op'
import { readConfig } from '../../settings/config'
import { migrate } from '../../store/migrations'
import { createUser } from '../../store/users'
import { deliverDue } from '../deliver'
import { type Order, orderMail } from './order'
import { asHtml, asText } from './template'

type House = OpenOp

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

describe.each(KINDS)('mail on %s', (kind) => {
  let url: string
  let server: MailServer
  let time = Date.now()

  beforeAll(async () => {
    url = await freshDatabase[kind]()
    await migrate(url)
    server = await startMailServer({ refuse: (to) => (to.startsWith('gone') ? 550 : null) })
    const house = await open({})
    await house.write(async (tx) => {
      for (const name of ['ann', 'gone']) {
        const email = `${name}@example.com`
        const rest = { emailVerified: false, adminRole: null, passwordHash: 'x' }
        await createUser(tx, { id: `usr_${name}`, name, email, ...rest }, house.now())
      }
    })
    await house.close()
  })

  afterAll(() => server.close())

  async function open(env: Record<string, string>): Promise<House> {
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
  async function order(house: House, wanted: Order): Promise<void> {
    time += 1 // the newest is the newest
    await house.write((tx) => orderMail(house, tx, wanted))
  }
  const newest = (house: House) =>
    house.db.outboxMessage.findFirstOrThrow({ orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })

  test('is sent once, with text and HTML, and the link is stored by its hash', async () => {
    const house = await viaServer()
    const before = server.received.length
    await order(house, reset('ANN@example.com '))
    await deliverDue(house)
    expect(await deliverDue(house)).toBe(0)
    expect(server.received).toHaveLength(before + 1)
    const mail = await server.lastTo('ann@example.com', before)
    expect([mail.from, mail.subject]).toEqual(['id@example.com', 'Choose a new password'])
    expect(mail.raw).toMatch(/^Message-ID: <out_\S+@localhost>\r$/m)
    expect(mail.raw).toContain('multipart/alternative')
    expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    const link = new URL(linkIn(mail))
    expect([link.origin, link.pathname]).toEqual([house.origin, '/reset'])
    expect(link.searchParams.get('returnTo')).toBe('/oidc/auth/int_x')
    const tokenHash = house.hashSecret(link.searchParams.get('token') ?? '')
    const row = await house.db.oneTimeLink.findUniqueOrThrow({ where: { tokenHash } })
    expect(row).toMatchObject({ purpose: 'reset', userId: 'usr_ann', email: 'ann@example.com' })
    expect(row.expiresAt.getTime() - time).toBe(30 * 60_000)
    expect((await newest(house)).payloadEncrypted).not.toContain('ann')
    await house.close()
  })

  test('M1: for nobody there is an order and no mail', async () => {
    const house = await viaServer()
    const before = server.received.length
    for (const nobody of ['nobody@example.com', 'ann\u0000@example.com']) {
      await order(house, reset(nobody))
      await deliverDue(house)
      expect((await newest(house)).deliveredAt).not.toBeNull()
    }
    expect(server.received).toHaveLength(before)
    await house.close()
  })

  test('a server that is down is tried again later, with the same link; one time it is too late', async () => {
    const port = await freePort()
    const house = await viaServer(port)
    await order(house, reset('ann@example.com'))
    await deliverDue(house)
    const { id, ...waiting } = await newest(house)
    expect(waiting).toMatchObject({ deliveredAt: null, failedAt: null, attempts: 1 })
    expect(waiting.lastError).toMatch(/^smtp \w+/)
    const links = await house.db.oneTimeLink.count()
    const late = await startMailServer({ port })
    expect(await deliverDue(house)).toBe(0)
    time += 6_000
    await deliverDue(house)
    expect(late.received).toHaveLength(1)
    expect(late.received[0]?.raw).toContain(`<${id}@`)
    expect(await house.db.oneTimeLink.count()).toBe(links)
    await late.close()

    await order(house, reset('ann@example.com'))
    await deliverDue(house)
    time += 31 * 60_000
    await deliverDue(house)
    expect((await newest(house)).lastError).toBe('the mail has expired and was not sent')
    await house.close()
  })

  test('an address that the server refuses for good is given up at once', async () => {
    const house = await viaServer()
    await order(house, reset('gone@example.com'))
    await deliverDue(house)
    expect(await newest(house)).toMatchObject({
      attempts: 1,
      failedAt: new Date(time),
      lastError: 'smtp EENVELOPE 550',
    })
    await house.close()
  })

  test('without a server it is printed in development, and nothing is kept in production', async () => {
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const house = await open({})
    await order(house, reset('ann@example.com'))
    await deliverDue(house)
    const printed = said.mock.calls.join('')
    said.mockRestore()
    expect(printed).toMatch(/Mail to ann@example\.com[\s\S]+http:\/\/localhost:3000\/reset\?token=/)
    const kept = await house.db.outboxMessage.count()
    await house.close()

    const real = await open({ ISSUER: 'https://id.example.com' })
    await order(real, reset('ann@example.com'))
    expect(await real.db.outboxMessage.count()).toBe(kept)
    await real.close()
  })
})
