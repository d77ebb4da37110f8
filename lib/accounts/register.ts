import { parseEmail } from '../base/email'
import { cleanName, type NameProblem, nameProblem } from '../base/name'
import type { Op } from '../context/op'
import { newId } from '../crypto/secrets'
import { orderMail } from '../delivery/mail/order'
import type { Locale } from '../i18n'
import { mailRequestWait } from '../limits/mail-requests'
import { createUser, findByIdentifier } from '../store/accounts/users'
import { isUniqueViolation } from '../store/database/unique'
import { ownEvent } from './audit-event'
import { isBreached } from './breached-passwords'
import { hashPassword, type PasswordProblem, passwordProblem, shortestAlone } from './passwords'

/**
 * Only the reader of its mail learns whether an address is taken (attack M1). A new account can
 * sign in at once; `email_verified` stays false until the link was used. Nothing is ever linked to
 * an account by its address (attack M30).
 */

type Registration = {
  name: string
  email: string
  password: string
  locale: Locale
  returnTo: string
  ip: string | null
}

export type RegistrationResult =
  | { ok: true }
  | { ok: false; problem: 'closed' | 'email' | NameProblem | PasswordProblem }
  | { ok: false; problem: 'slow_down'; retryAfterSeconds: number }

export async function register(op: Op, input: Registration): Promise<RegistrationResult> {
  const { registration } = (await op.settings.current()).security
  if (registration === 'closed') return { ok: false, problem: 'closed' }
  const name = cleanName(input.name)
  const email = parseEmail(input.email)
  if (!email) return { ok: false, problem: 'email' }
  const owner = { own: [name, email], shortest: await shortestAlone(op) }
  const problem = nameProblem(name) ?? (await passwordProblem(input.password, owner))
  if (problem) return { ok: false, problem }
  const wait = await mailRequestWait(op, 'register', { name: email, ip: input.ip })
  if (wait > 0) return { ok: false, problem: 'slow_down', retryAfterSeconds: wait }
  // Another service is asked only within the limits: everybody can send this form.
  if (await isBreached(op, input.password)) return { ok: false, problem: 'password_breached' }
  const passwordHash = await hashPassword(input.password)
  await createOrTell(op, { ...input, name, email }, passwordHash)
  return { ok: true }
}

/**
 * If two requests want one address at the same time, one gets it and the other gets the mail about
 * it.
 */
async function createOrTell(op: Op, person: Registration, passwordHash: string): Promise<void> {
  if (await tellOwner(op, person)) return
  try {
    await create(op, person, passwordHash)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await tellOwner(op, person)
  }
}

async function tellOwner(op: Op, { email, locale, returnTo }: Registration): Promise<boolean> {
  return op.write(async (tx) => {
    const owner = await findByIdentifier(tx, email)
    if (!owner) return false
    await orderMail(op, tx, { letter: 'address_taken', userId: owner.id, locale, returnTo })
    return true
  })
}

async function create(op: Op, person: Registration, passwordHash: string): Promise<void> {
  const { name, email, locale, returnTo, ip } = person
  const id = newId('usr')
  await op.changePolicy(
    async (tx, audit) => {
      const user = { id, name, email, emailVerified: false, adminRole: null, passwordHash }
      await createUser(tx, user, op.now())
      await orderMail(op, tx, { letter: 'verify', userId: id, locale, returnTo })
      audit(ownEvent('user.registered', { user: { id } }, { ip }))
    },
    [{ kind: 'user', id }],
  )
}
