import { SMTPServer } from 'smtp-server'
import { freePort } from './free-port'

/** A real mail server that keeps what it is given. */

export type ReceivedMail = {
  from: string
  to: string[]
  raw: string
  text: string
  subject: string
}

export type MailServer = {
  url: string
  port: number
  received: ReceivedMail[]
  /** The newest mail to that address, once it is there. */
  lastTo(address: string, after?: number): Promise<ReceivedMail>
  close(): Promise<void>
}

const WAIT_MS = 120_000
const LOOK_MS = 50

type Options = {
  port?: number
  /** What it answers to a recipient instead of taking the mail. */
  refuse?: (address: string) => number | null
}

export async function startMailServer({ port, refuse }: Options = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const chosen = port ?? (await freePort())
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onRcptTo({ address }, _session, done) {
      const responseCode = refuse?.(address) ?? null
      done(responseCode === null ? null : Object.assign(new Error('no'), { responseCode }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        const to = rcptTo.map(({ address }) => address)
        received.push({ from, to, raw, text: textOf(raw), subject: subjectOf(raw) })
        done()
      })
    },
  })
  server.on('error', () => {}) // a portal that is killed hangs up amid a word
  await new Promise<void>((resolve) => server.listen(chosen, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${chosen}`,
    port: chosen,
    received,
    lastTo: (address, after = 0) => lastTo(received, address, after),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function lastTo(
  received: ReceivedMail[],
  address: string,
  after: number,
): Promise<ReceivedMail> {
  const deadline = Date.now() + WAIT_MS
  while (Date.now() < deadline) {
    const found = received.slice(after).findLast(({ to }) => to.includes(address))
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw new Error(`no mail to ${address}; there are ${received.length}`)
}

/** The first address in the mail that leads to the portal's own page. */
export function linkIn({ text }: ReceivedMail): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (!link) throw new Error(`no link in: ${text}`)
  return link
}

/** The text part, decoded. */
function textOf(raw: string): string {
  const part = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)(?:\r\n--|$)/i.exec(raw)
  const head = part?.[0].split('\r\n\r\n')[0] ?? ''
  return decode(part?.[1] ?? '', /transfer-encoding: *(\S+)/i.exec(head)?.[1] ?? '7bit')
}

function decode(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(encoding)) return body
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function subjectOf(raw: string): string {
  const folded = /^Subject: ([\s\S]*?)\r\n(?![ \t])/im.exec(raw)?.[1] ?? ''
  const line = folded.replaceAll(/\?=\s+=\?/g, '?==?').replaceAll(/\r\n[ \t]/g, ' ')
  return line.replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_all, kind: string, text: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString('utf8')
      : decode(text.replaceAll('_', ' '), 'quoted-printable'),
  )
}
