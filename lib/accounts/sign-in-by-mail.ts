import { HOUR_MS } from '../base/time'
import type { Op, Transaction } from '../context/op'
import { newSecret } from '../crypto/secrets'
import { orderMail } from '../delivery/mail/order'
import { hashOfCode, type SignInLink } from '../delivery/mail/sign-in-code'
import type { Locale } from '../i18n'
import { countOne, type Limit, takeBackAttempt } from '../limits/attempts'
import { mailRequestWait } from '../limits/mail-requests'
import { type SlowDown, slowDown } from '../limits/tries'
import { possibleMethods } from '../settings/possible-methods'
import { consumeLink, type LinkBearer } from '../store/accounts/links'
import { findUser } from '../store/accounts/users'
import { foldedKey } from '../store/database/folded-key'
import { completeFirstFactor, type FirstFactorResult } from './first-factor'
import type { SignInFrom } from './new-session'
import { addressLimit, refuse, slowedDown } from './sign-in'

/** Sign-in with a code in a mail: one factor, which works only at the browser that asked for it. */

const MAX_IDENTIFIER_LENGTH = 254
const TRIES_PER_CODE = 5

/** False where no mail leaves the portal: then nobody is offered what cannot work. */
async function offersMailSignIn(op: Op): Promise<boolean> {
  return possibleMethods(await op.settings.current(), op.config).has('mail')
}

type CodeRequest = {
  identifier: string
  locale: Locale
  returnTo: string
  ip: string | null
  userAgent: string
}

type Requested = { ok: true; browser: string } | { ok: false; problem: 'off' } | SlowDown

/**
 * The secret that the browser keeps until it sends the code. Only the mail shows whether there is an
 * account with a verified address (attack M1).
 */
export async function requestSignInCode(op: Op, request: CodeRequest): Promise<Requested> {
  if (!(await offersMailSignIn(op))) return { ok: false, problem: 'off' }
  const { ip } = request
  const identifier = request.identifier.slice(0, MAX_IDENTIFIER_LENGTH)
  const wait = await mailRequestWait(op, 'sign_in', { name: identifier, ip })
  if (wait > 0) return slowDown(wait)
  const browser = newSecret('ghbr')
  const browserHash = op.hashSecret(browser)
  await op.write(async (tx, audit) => {
    const at = op.now()
    await orderMail(op, tx, { letter: 'sign_in', ...request, identifier, at, browserHash })
    audit({
      event: 'login.code_requested',
      result: 'success',
      actorKind: 'user',
      actorId: null,
      ip,
      detail: {},
    })
  })
  return { ok: true, browser }
}

/** Is this the browser that asked for it? */
export function isAsker(op: Op, browser: string, { browserHash }: SignInLink): boolean {
  return op.hashSecret(browser) === browserHash
}

export function isCodeOpen(op: Op, link: SignInLink): Promise<boolean> {
  return op.links.isOpen(hashOfCode(op, link), 'sign_in', op.now())
}

/** `void`: after too many tries even the right code is worth nothing. */
type CodeResult = FirstFactorResult | { ok: false; problem: 'mismatch' | 'void' } | SlowDown

/** A code of another browser, of an unknown user, a used one and a wrong one look the same. */
export async function signInWithCode(
  op: Op,
  { browser, code }: { browser: string; code: string },
  from: SignInFrom,
): Promise<CodeResult> {
  const limits = from.ip === null ? [] : addressLimit(op, from)
  const slowed = await slowedDown(op, limits)
  if (slowed) return slowed
  const browserHash = op.hashSecret(browser)
  const { wait } = await countOne(op, triesOf(browserHash))
  if (wait > 0 || !(await offersMailSignIn(op)))
    return { ...refuse(op, from, 'mail'), problem: 'void' }
  const tokenHash = hashOfCode(op, { browserHash, code: code.replaceAll(/[\s-]/g, '') })
  const bearer = await op.links.findBearer(tokenHash, 'sign_in', op.now())
  if (!bearer) return refuse(op, from, 'mail')
  const spend = (tx: Transaction) => spendCode(op, tx, tokenHash, bearer)
  const proof = { method: 'mail', acr: 'pwd', amr: ['mail'], spend } as const
  const admission = await completeFirstFactor(op, { id: bearer.userId }, proof, from)
  if (!admission) return refuse(op, from, 'mail')
  await takeBackAttempt(op, limits)
  return admission
}

/** For longer than the code lives, so that it stays void. */
function triesOf(browserHash: string): Limit {
  return { key: `code:${browserHash}`, most: TRIES_PER_CODE, windowMs: HOUR_MS }
}

/** True once, while the address that it was sent to is still the verified one of the user. */
async function spendCode(
  op: Op,
  tx: Transaction,
  tokenHash: string,
  { userId, email }: LinkBearer,
): Promise<boolean> {
  if (!(await consumeLink(tx, tokenHash, 'sign_in', op.now()))) return false
  const user = await findUser(tx, userId)
  if (!user?.emailVerified || user.disabledAt !== null || user.email === null) return false
  return foldedKey(user.email) === foldedKey(email)
}
