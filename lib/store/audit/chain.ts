import type { Reader } from '../database/connection'
import { type InputJsonObject, prisma } from '../database/database'
import { hashOf } from './audit'

/**
 * Is the log intact? Every entry is hashed again and compared with the one before it (attack N21).
 */

const PAGE = 1_000
const ONLY_ROW = 1
/** The last of the entries that were removed, if any: the chain begins behind it. */
export const FOOT_ROW = 2

type Break = {
  seq: bigint
  /**
   * What is wrong: the entry was changed, is not linked to the one before, is missing, or the end
   * of the log is cut off.
   */
  why: 'changed' | 'unlinked' | 'missing' | 'cut'
}

type VerificationResult = {
  checked: number
  /** The last entry that was checked. */
  upTo: bigint
  broken: Break | null
  /** True if there are entries after `upTo`. */
  more: boolean
}

/** Checks at most `most` entries after `after`, which an earlier call has verified. */
export async function verifyChain(
  db: Reader,
  after: bigint,
  most: number,
): Promise<VerificationResult> {
  // Read first: entries that are appended meanwhile come after it.
  const head = await prisma(db).auditHead.findUniqueOrThrow({ where: { id: ONLY_ROW } })
  const foot = await prisma(db).auditHead.findUnique({ where: { id: FOOT_ROW } })
  let link: Link = foot && foot.seq >= after ? foot : { seq: after, hash: await hashAt(db, after) }
  let checked = 0
  while (checked < most && link.seq < head.seq) {
    const take = Math.min(PAGE, most - checked)
    const rows = await entriesBetween(db, link.seq, head.seq, take)
    for (const row of rows) {
      const why = faultOf(row, link)
      if (why) return { checked, upTo: link.seq, broken: { seq: link.seq + 1n, why }, more: false }
      link = { seq: row.seq, hash: row.hash }
      checked += 1
    }
    if (rows.length < take) break
  }
  const more = link.seq < head.seq && checked === most
  return { checked, upTo: link.seq, broken: more ? null : endOf(link, head), more }
}

const AT_ONCE = 20_000

/** Verifies the whole log. */
export async function verifyWhole(
  db: Reader,
): Promise<Pick<VerificationResult, 'checked' | 'broken'>> {
  let checked = 0
  for (let after = 0n; ; ) {
    const done = await verifyChain(db, after, AT_ONCE)
    checked += done.checked
    if (!done.more) return { checked, broken: done.broken }
    after = done.upTo
  }
}

type Link = { seq: bigint; hash: string }
type Row = Awaited<ReturnType<typeof entriesBetween>>[number]

function entriesBetween(db: Reader, after: bigint, upTo: bigint, take: number) {
  const where = { seq: { gt: after, lte: upTo } }
  return prisma(db).auditEntry.findMany({ where, orderBy: { seq: 'asc' }, take })
}

async function hashAt(db: Reader, seq: bigint): Promise<string> {
  const row = await prisma(db).auditEntry.findFirst({ where: { seq }, select: { hash: true } })
  return row?.hash ?? ''
}

function faultOf({ hash, ...row }: Row, before: Link): Break['why'] | null {
  if (row.seq !== before.seq + 1n) return 'missing'
  if (row.previousHash !== before.hash) return 'unlinked'
  const detail = row.detail as InputJsonObject
  return hashOf({ ...row, detail }) === hash ? null : 'changed'
}

/** The head stores what the last entry was. */
function endOf(link: Link, head: Link): Break | null {
  if (link.seq === head.seq && link.hash === head.hash) return null
  return { seq: link.seq + 1n, why: 'cut' }
}
