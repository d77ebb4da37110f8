import { satisfies } from '../access/acr'
import { isConfirmed } from '../accounts/confirm'
import type { Op } from '../context/op'
import { mistake } from '../i18n/mistake'
import { findSessionProof } from '../store/sessions'
import type { Caller } from './caller'
import { Problem } from './problem'

/** Somebody on the portal's own pages who has just proved who they are, with two factors. */
export async function requireFreshPerson(op: Op, { session }: Caller): Promise<void> {
  // With the user's token, an application could decide without showing anything to anybody.
  if (session?.through !== 'pages') throw new Problem('forbidden', mistake('person_needed'))
  const proof = await op.read((db) => findSessionProof(db, session.id))
  if (!proof || !satisfies(proof.acr, 'mfa')) {
    const where = `${op.origin}/second-factor`
    throw new Problem('second_factor_needed', `prove a second factor at ${where}, then try again`)
  }
  const { confirmMinutes } = (await op.settings.current()).security
  if (isConfirmed(proof, op.now(), confirmMinutes)) return
  const page = `confirm your identity at ${op.origin}/account/confirm, then send this again`
  throw new Problem('confirmation_needed', page)
}
