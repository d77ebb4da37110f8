import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { deviceOf } from '../../base/device'
import { DAY_MS } from '../../base/time'
import type { Op, Transaction } from '../../context/op'
import { seal, unseal } from '../../crypto/seal'
import { countLinks, type LinkBearer, saveLink } from '../../store/accounts/links'
import { lockUserRow } from '../../store/accounts/users'
import { LINK_MS } from './link-times'
import type { SignInOrder } from './order'

/**
 * A code that signs a user in, at the browser that asked for it. The link in the same mail carries
 * the code and says who asked: opened in that browser it fills the code in, anywhere else it can
 * only show it.
 */

const DIGITS = 8
/** Whatever names were typed: somebody who asks again and again fills no mailbox. */
const PER_ACCOUNT_A_DAY = 20

const BOUND = 'sign-in link'
const linkSchema = z.object({
  code: z.string(),
  browserHash: z.string(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  ip: z.string().nullable(),
  at: z.coerce.date(),
})

export type SignInLink = z.infer<typeof linkSchema>

/** It is stored with the browser: the same digits are worth nothing in another one. */
export function hashOfCode({ hashSecret }: Pick<Op, 'hashSecret'>, asked: AskedCode): string {
  return hashSecret(`${asked.browserHash} ${asked.code}`)
}

type AskedCode = Pick<SignInLink, 'browserHash' | 'code'>

/** In two groups, so that it can be read and typed. */
export function shownCode(code: string): string {
  return `${code.slice(0, DIGITS / 2)} ${code.slice(DIGITS / 2)}`
}

/** Of mails that are written at the same moment, one waits for the other. */
export async function hasCodesLeft(op: Op, tx: Transaction, userId: string): Promise<boolean> {
  if (!(await lockUserRow(tx, userId))) return false
  const since = new Date(op.now().getTime() - DAY_MS)
  return (await countLinks(tx, userId, 'sign_in', since)) < PER_ACCOUNT_A_DAY
}

/** A new code for the user and the address, and the token of the link in its mail. */
export async function newSignInCode(
  op: Op,
  tx: Transaction,
  bearer: LinkBearer,
  { browserHash, userAgent, ip, at }: SignInOrder,
): Promise<{ code: string; token: string }> {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const createdAt = op.now()
  await saveLink(tx, {
    tokenHash: hashOfCode(op, { browserHash, code }),
    purpose: 'sign_in',
    ...bearer,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + LINK_MS.sign_in),
  })
  const link: SignInLink = { code, browserHash, ...deviceOf(userAgent), ip, at }
  return { code, token: seal(op.cookieKey, BOUND, JSON.stringify(link)) }
}

/** Null for a token that the portal did not make. Only looks, so a scanner of mails spends nothing. */
export function openSignInLink({ cookieKey }: Pick<Op, 'cookieKey'>, token: string) {
  try {
    return linkSchema.parse(JSON.parse(unseal(cookieKey, BOUND, token)))
  } catch {
    return null
  }
}
