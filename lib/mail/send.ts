import { createTransport } from 'nodemailer'
import { type Config, isLoopback } from '../config'
import { say } from '../host/console'
import type { Mail } from './order'

/** Hands one mail to the server. All waits together stay below the outbox's lock. */

const CONNECT_MS = 8_000
const GREETING_MS = 5_000
const SILENCE_MS = 10_000
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

/** The server will never take this one; trying again would only annoy it. */
export class RefusedForGood extends Error {}

export async function sendMail(config: Config, id: string, mail: Mail): Promise<void> {
  if (config.smtp) return viaSmtp(config.smtp, config.origin, id, mail)
  if (config.production) throw new Error('mail is off')
  say(`\nMail to ${mail.to} (no SMTP_URL, so it is printed here)\n\n${indented(mail)}\n`)
}

async function viaSmtp(
  { url, from }: NonNullable<Config['smtp']>,
  origin: string,
  id: string,
  { to, subject, text, html }: Mail,
): Promise<void> {
  const transport = createTransport(serverOf(new URL(url)))
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: to }, // an object: never parsed as a list (M26)
      subject,
      text,
      html,
      // However often it is sent, it is one letter.
      messageId: `<${id}@${new URL(origin).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  } catch (error) {
    throw explained(error)
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

/** Codes only: what a server says may hold addresses, and this goes to the log. */
function explained(error: unknown): Error {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  const reason = ['smtp', code, responseCode].filter(Boolean).join(' ')
  const forGood = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500
  return forGood ? new RefusedForGood(reason) : new Error(reason)
}

function indented({ subject, text }: Mail): string {
  return `${subject}\n\n${text}`.trimEnd().replaceAll(/^/gm, '    ')
}
