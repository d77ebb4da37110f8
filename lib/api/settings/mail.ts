import { z } from 'zod'
import { MINUTE_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { greetingOf } from '../../delivery/mail/greeting'
import { tryMail } from '../../delivery/mail/send'
import { asHtml, asText } from '../../delivery/mail/template'
import { messagesFor } from '../../i18n'
import { errorMessage } from '../../i18n/error-message'
import { fill } from '../../i18n/fill'
import { localeOf } from '../../settings/model'
import { findUser, type UserRecord } from '../../store/accounts/users'
import { authorize } from '../authority/authorize'
import { actorOf, type Caller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { Problem } from '../http/problem'

/**
 * Sends a test mail to the caller directly, without the outbox, and shows what the server answered.
 */

async function requireReader(op: Op, caller: Caller): Promise<UserRecord & { email: string }> {
  const user = caller.kind === 'user' ? await op.read((db) => findUser(db, caller.id)) : null
  if (user?.email) return { ...user, email: user.email }
  throw new Problem('conflict', errorMessage('test_mail_address'))
}

async function letterTo(op: Op, reader: UserRecord & { email: string }) {
  const locale = localeOf(reader.locale, op.settings.known().languages)
  const { letters } = (await messagesFor(locale)).mail
  const { subject, text } = letters.test
  const { name: from } = (await op.settings.current()).branding
  const letter = {
    from,
    locale,
    subject,
    notes: [],
    greeting: greetingOf(letters, reader.name),
    paragraphs: [fill(text, { host: new URL(op.origin).host })],
  }
  return {
    letter: 'written' as const,
    to: reader.email,
    subject,
    text: asText(letter),
    html: asHtml(letter),
    until: new Date(op.now().getTime() + MINUTE_MS),
  }
}

export const testMail = operation({
  id: 'testMail',
  method: 'POST',
  path: '/settings/mail:test',
  summary: 'Send a test mail to yourself and read the answer of the mail server',
  scope: 'settings:write',
  answers: {
    200: z.object({
      to: z.string(),
      sent: z.boolean(),
      said: z.string().describe('The answer of the mail server, or why it was not reached'),
    }),
  },
  async handle(op, call) {
    await authorize(op, call, [])
    const reader = await requireReader(op, call.caller)
    const { smtp } = await op.settings.current()
    if (!smtp) throw new Problem('conflict', errorMessage('mail_server_missing'))
    const told = await tryMail(op, smtp, newId('out'), await letterTo(op, reader))
    await op.write(async (_tx, audit) =>
      audit({
        ...actorOf(call),
        event: 'settings.mail_tested',
        result: told.sent ? 'success' : 'failure',
        detail: {},
      }),
    )
    return { status: 200, body: { to: reader.email, ...told } }
  },
})

export const settingsMailRoutes = tagged('Settings', [testMail])
