import { z } from 'zod'
import type { Op } from '../../context/op'
import { mailMode } from '../../delivery/mail/mode'
import { openMail } from '../../delivery/mail/order'
import { errorMessage } from '../../i18n/error-message'
import { listMailPage } from '../../store/delivery/outbox'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { Problem } from '../http/problem'
import { iso } from '../http/schemas'

/** Mail that is not sent: in development without a mail server, it is read here. */

const mailSchema = z.object({
  id: z.string(),
  to: z.string().nullable().describe('Null if the mail is ordered but not written yet'),
  subject: z.string().nullable(),
  text: z.string().nullable(),
  createdAt: z.string(),
  deliveredAt: z.string().nullable(),
})

type Row = { id: string; payloadEncrypted: string; createdAt: Date; deliveredAt: Date | null }

function toWire(op: Op, { id, payloadEncrypted, createdAt, deliveredAt }: Row) {
  const mail = openMail(op.outboxKey, id, payloadEncrypted)
  const { to, subject, text } = mail.letter === 'written' ? mail : NOT_WRITTEN
  return { id, to, subject, text, createdAt: iso(createdAt), deliveredAt: iso(deliveredAt) }
}

const NOT_WRITTEN = { to: null, subject: null, text: null }

function requirePrinted(op: Op): void {
  if (mailMode(op) === 'printed') return
  throw new Problem('forbidden', errorMessage('outbox_closed'))
}

const query = listQuery(['createdAt'])
  .omit({ q: true })
  .extend({ sort: z.enum(['-createdAt', 'createdAt']).default('-createdAt') })

const listOutbox = operation({
  id: 'listOutbox',
  method: 'GET',
  path: '/outbox',
  summary:
    'Read mail that was written, the newest first; only in development without a mail server',
  scope: 'outbox:read',
  query,
  answers: { 200: pageSchema(mailSchema) },
  async handle(op, call) {
    requirePrinted(op)
    return listed(op, call.query, { name: 'outbox', filters: {}, list: listMailPage }, (row) =>
      toWire(op, row),
    )
  },
})

export const outboxRoutes = tagged('Outbox', [listOutbox])
