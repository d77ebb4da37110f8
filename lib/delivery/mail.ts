import type { Op } from '../context/op'
import { replacePayload } from '../store/delivery/outbox'
import { type Mail, type Order, openMail, sealMail } from './mail/order'
import { sendMail } from './mail/send'
import { writeLetter } from './mail/write'
import { NoReceiver, RefusedForGood } from './refusals'

/** Writes an ordered mail once, then sends it until a server has accepted it. */
export async function deliverMail(op: Op, id: string, sealed: string): Promise<void> {
  await op.settings.current() // the transaction below reads the cached settings
  const payload = openMail(op.outboxKey, id, sealed)
  const mail = payload.letter === 'written' ? payload : await written(op, id, payload)
  if (!mail) throw new NoReceiver('there is no account for it')
  if (mail.until <= op.now()) throw new RefusedForGood('the mail has expired and was not sent')
  await sendMail(op, id, mail)
}

/** The link and its mail are stored together: a second attempt sends the same one. */
async function written(op: Op, id: string, order: Order): Promise<Mail | null> {
  return op.write(async (tx) => {
    const letter = await writeLetter(op, tx, order)
    if (!letter) return null
    const { mail, readerId: targetId } = letter
    const payloadEncrypted = sealMail(op.outboxKey, id, mail)
    await replacePayload(tx, id, { payloadEncrypted, targetId })
    return mail
  })
}
