import type { Op } from '../context/op'
import { replacePayload } from '../store/outbox'
import { type Mail, type Order, openMail, sealMail } from './mail/order'
import { RefusedForGood, sendMail } from './mail/send'
import { writeLetter } from './mail/write'

/** Writes an ordered mail once, then sends it until a server has accepted it. */
export async function deliverMail(op: Op, id: string, sealed: string): Promise<void> {
  await op.settings.current() // the transaction below reads the cached settings
  const payload = openMail(op.outboxKey, id, sealed)
  const mail = payload.letter === 'written' ? payload : await written(op, id, payload)
  if (!mail) return
  if (mail.until <= op.now()) throw new RefusedForGood('the mail has expired and was not sent')
  await sendMail(op, id, mail)
}

/** The link and its mail are stored together: a second attempt sends the same one. */
async function written(op: Op, id: string, order: Order): Promise<Mail | null> {
  return op.write(async (tx) => {
    const mail = await writeLetter(op, tx, order)
    if (mail) await replacePayload(tx, id, sealMail(op.outboxKey, id, mail))
    return mail
  })
}
