import type { Acr } from '../access/acr'
import type { Op, Transaction } from '../context/op'
import type { Origin } from './audit-event'
import { findPasskeyProof } from './passkeys'
import { spendRecovery } from './recovery-codes'
import { spendCode } from './totp'

/** A second factor: a code of an authenticator app, a recovery code or a passkey. */

export type FactorProof = {
  method: 'totp' | 'recovery_code' | 'passkey'
  acr: Acr
  amr: readonly string[]
  /** True for exactly one caller. */
  spend(tx: Transaction): Promise<boolean>
}

export type TypedFactor = { code: string; recovery: string; passkey: string }

/** Null if nothing was sent. */
export async function factorProof(
  op: Op,
  userId: string,
  { code, recovery, passkey }: TypedFactor,
  origin: Origin,
): Promise<FactorProof | null> {
  if (passkey !== '') return passkeyProof(op, userId, passkey)
  if (code !== '') return codeProof(op, userId, code)
  return recovery === '' ? null : recoveryProof(op, userId, recovery, origin)
}

async function codeProof(op: Op, userId: string, code: string): Promise<FactorProof> {
  const totps = await op.totps.listConfirmed(userId)
  const digits = code.replaceAll(/\s/g, '')
  const spend = (tx: Transaction) => spendCode(op, tx, totps, digits)
  return { method: 'totp', acr: 'mfa', amr: ['otp', 'mfa'], spend }
}

/** Instead of the code of an app, under the same limit. */
function recoveryProof(op: Op, userId: string, recovery: string, origin: Origin): FactorProof {
  const spend = (tx: Transaction) => spendRecovery(op, tx, userId, recovery, origin)
  return { method: 'recovery_code', acr: 'mfa', amr: ['otp', 'mfa'], spend }
}

async function passkeyProof(op: Op, userId: string, json: string): Promise<FactorProof> {
  const found = await findPasskeyProof(op, { for: 'second_factor', userId }, json)
  return found ?? { method: 'passkey', acr: 'phr', amr: [], spend: async () => false }
}
