import type { Op } from '../context/op'
import { newId } from '../crypto/secrets'
import { countTry, type SlowDown, tries } from '../limits/tries'
import { avatarIdOf, findAvatar, removeAvatar, replaceAvatar } from '../store/accounts/avatars'
import type { Session } from '../store/accounts/sessions'
import { type Origin, ownEvent } from './audit-event'
import { drawPicture, type PictureProblem } from './draw-picture'

/** A user's own picture, and the URL that applications get as `picture`. */

export type PictureSaved = { ok: true } | { ok: false; problem: PictureProblem } | SlowDown

export async function savePicture(
  op: Op,
  session: Session,
  sent: Buffer,
  origin: Origin,
): Promise<PictureSaved> {
  const userId = session.user.id
  const slowDown = await countTry(op, tries.picture, userId)
  if (slowDown) return slowDown
  const drawn = await drawPicture(sent)
  if (!drawn.ok) return drawn
  await op.write(async (tx, audit) => {
    await replaceAvatar(tx, { id: newId('ava'), userId, webp: drawn.webp }, op.now())
    audit(ownEvent('picture.changed', session, origin))
  })
  return { ok: true }
}

/** False if there was none. */
export async function removePicture(op: Op, session: Session, origin: Origin): Promise<boolean> {
  return op.write(async (tx, audit) => {
    if (!(await removeAvatar(tx, session.user.id, op.now()))) return false
    audit(ownEvent('picture.removed', session, origin))
    return true
  })
}

/** A path on this portal; null if there is none. */
export async function picturePath(op: Op, { user }: Session): Promise<string | null> {
  const id = await op.read((db) => avatarIdOf(db, user.id))
  return id === null ? null : `/avatar/${id}`
}

export function openPicture(op: Op, id: string): Promise<Uint8Array<ArrayBuffer> | null> {
  return op.read((db) => findAvatar(db, id))
}
