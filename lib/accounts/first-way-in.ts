import type { Op, Transaction } from '../context/op'
import { createPasskey } from '../store/accounts/passkeys'
import { createPassword } from '../store/accounts/sign-in-methods'
import { keeperOf } from './own-passkeys'
import { type NewKey, passkeyAmr, readNewKey } from './passkeys'
import { hashPassword, newPasswordProblem, type PasswordProblem } from './passwords'

/** How the owner of a new account will sign in: with a passkey, or with a password. */

/** A passkey was made for the ID of a user that the portal chose. */
export type WayIn = { password: string } | { passkey: { userId: string; response: string } }

export type FirstProof =
  | { method: 'password'; passwordHash: string }
  | { method: 'passkey'; userId: string; key: NewKey }

type PasswordOwner = Parameters<typeof newPasswordProblem>[2]

export async function firstProofFrom(
  op: Op,
  wayIn: WayIn,
  owner: PasswordOwner,
): Promise<FirstProof | { problem: PasswordProblem | 'passkey' }> {
  if ('passkey' in wayIn) {
    const { userId, response } = wayIn.passkey
    const key = await readNewKey(op, userId, response)
    return key ? { method: 'passkey', userId, key } : { problem: 'passkey' }
  }
  const problem = await newPasswordProblem(op, wayIn.password, owner)
  if (problem) return { problem }
  return { method: 'password', passwordHash: await hashPassword(wayIn.password) }
}

/** A passkey is two factors in one. */
export function provenBy(proof: FirstProof): { acr: 'pwd' | 'phr'; amr: string[] } {
  if (proof.method === 'password') return { acr: 'pwd', amr: ['pwd'] }
  return { acr: 'phr', amr: passkeyAmr(proof.key) }
}

/** The answer of the authenticator must have been used up before. */
export async function keepFirstProof(
  op: Op,
  tx: Transaction,
  userId: string,
  proof: FirstProof,
): Promise<void> {
  if (proof.method === 'password') {
    await createPassword(tx, userId, proof.passwordHash, op.now())
    return
  }
  const { use: _, ...key } = proof.key
  await createPasskey(tx, { ...key, userId, name: keeperOf(key) }, op.now())
}
