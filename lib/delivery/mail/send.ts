import { createTransport } from 'nodemailer'
import { resolveHost } from '../../base/address-guard'
import { say } from '../../base/console'
import type { Op } from '../../context/op'
import { isLoopback } from '../../settings/config'
import type { Smtp } from '../../settings/effective'
import { RefusedForGood } from '../refusals'
import type { Mail } from './order'

/** Sends one mail to the server. All timeouts together are shorter than the lock of the outbox. */

const CONNECT_MS = 8_000
const GREETING_MS = 5_000
const SILENCE_MS = 10_000
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

export async function sendMail(op: Op, id: string, mail: Mail): Promise<void> {
  const smtp = mail.via ?? (await op.settings.current()).smtp
  if (smtp) {
    await viaSmtp(op, smtp, id, mail).catch((error) => {
      throw explained(error)
    })
    return
  }
  if (op.config.production) throw new Error('mail is off')
  say(`\nMail to ${mail.to} (no mail server, so it is printed here)\n\n${indented(mail)}\n`)
}

/** Returns the answer of the server. */
async function viaSmtp(
  { origin, config }: Op,
  { url, from, guarded }: Smtp,
  id: string,
  { to, subject, text, html }: Mail,
): Promise<string> {
  const server = serverOf(new URL(url))
  const transport = createTransport(guarded ? await pinned(server, config.outboundHosts) : server)
  try {
    const { response } = await transport.sendMail({
      from,
      to: { name: '', address: to }, // an object: never parsed as a list (attack M26)
      subject,
      text,
      html,
      // However often it is sent, it is one mail.
      messageId: `<${id}@${new URL(origin).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return response
  } finally {
    transport.close()
  }
}

function serverOf(url: URL) {
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || PORTS[secure ? 'smtps:' : 'smtp:'],
    secure,
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    requireTLS: !secure && user !== '' && !isLoopback(url),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
  }
}

type Server = ReturnType<typeof serverOf>

/** Attack N19: a server that an admin sets must be public, or allowed by the operator. */
async function pinned(server: Server, allowedHosts: ReadonlySet<string>) {
  const { address } = await resolveHost(server.host, server.port, allowedHosts)
  return { ...server, host: address, tls: { servername: server.host } }
}

type SendResult = { sent: boolean; said: string }

/** For the test mail: the exact answer of the server, which is not logged. */
export async function tryMail(op: Op, smtp: Smtp, id: string, mail: Mail): Promise<SendResult> {
  try {
    return { sent: true, said: plain(await viaSmtp(op, smtp, id, mail)) }
  } catch (error) {
    const { response, code, message } = error as Partial<
      Record<'response' | 'code' | 'message', string>
    >
    return { sent: false, said: plain(response ?? [code, message].filter(Boolean).join(': ')) }
  }
}

const MAX_SAID_LENGTH = 500

function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_SAID_LENGTH)
}

/** Codes only: the answer of a server may contain addresses, and this is logged. */
function explained(error: unknown): Error {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  const reason = ['smtp', code, responseCode].filter(Boolean).join(' ')
  const forGood = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500
  return forGood ? new RefusedForGood(reason) : new Error(reason)
}

function indented({ subject, text }: Mail): string {
  return `${subject}\n\n${text}`.trimEnd().replaceAll(/^/gm, '    ')
}
