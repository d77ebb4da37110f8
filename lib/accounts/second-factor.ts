import type { Acr } from '../access/acr'
import type { Op, Transaction } from '../context/op'
import type { Origin } from './audit-event'
import { findPasskeyProof } from './passkeys'
import { spendRecovery } from './recovery-codes'
import { spendCode } from './totp'

/** What somebody proves on top of a first proof: an app's code, a recovery code, a passkey. */

export type FactorProof = {
  method: 'totp' | 'recovery_code' | 'passkey'
  acr: Acr
  amr: readonly string[]
  /** True once, whoever else sends the same at the same moment. */
  spend(tx: Transaction): Promise<boolean>
}

export type TypedFactor = { code: string; recovery: string; passkey: string }

/** Null when nothing was given at all. */
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

/** In place of the app's code, under the same limit. */
function recoveryProof(op: Op, userId: string, recovery: string, origin: Origin): FactorProof {
  const spend = (tx: Transaction) => spendRecovery(op, tx, userId, recovery, origin)
  return { method: 'recovery_code', acr: 'mfa', amr: ['otp', 'mfa'], spend }
}

async function passkeyProof(op: Op, userId: string, json: string): Promise<FactorProof> {
  const found = await findPasskeyProof(op, { for: 'second_factor', userId }, json)
  return found ?? { method: 'passkey', acr: 'phr', amr: [], spend: async () => false }
}
