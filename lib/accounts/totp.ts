import { Secret, TOTP } from 'otpauth'
import type { Op, Transaction } from '../context/op'
import { seal, unseal } from '../crypto/seal'
import { newId } from '../crypto/secrets'
import { confirmTotp, createTotp, type StoredTotp, spendStep } from '../store/accounts/totp'

/**
 * Codes of an authenticator app (RFC 6238): six digits, thirty seconds, one step earlier or later.
 */

const PERIOD_SECONDS = 30
const DIGITS = 6
const WINDOW = 1
const SECRET_BYTES = 20

export type Enrolment = { id: string; secret: string; uri: string }

export async function enrolTotp(
  op: Op,
  tx: Transaction,
  user: { id: string; email: string | null },
  name: string,
): Promise<Enrolment> {
  const id = newId('otp')
  const secret = new Secret({ size: SECRET_BYTES })
  const secretEncrypted = seal(op.factorKey, id, secret.base32)
  await createTotp(tx, { id, userId: user.id, name, secretEncrypted }, op.now())
  return { id, secret: secret.base32, uri: enrolmentUri(user, secret.base32) }
}

/** The content of the QR code. */
export function enrolmentUri(user: { id: string; email: string | null }, secret: string): string {
  const label = user.email ?? user.id
  return new TOTP({ issuer: 'Gatehouse', label, secret: Secret.fromBase32(secret) }).toString()
}

export async function confirmEnrolment(
  op: Op,
  tx: Transaction,
  { id, secret }: Enrolment,
  code: string,
): Promise<boolean> {
  const step = stepOf(op, secret, code)
  return step !== null && confirmTotp(tx, id, step, op.now())
}

/** Uses the code: true for exactly one caller. */
export async function spendCode(
  op: Op,
  tx: Transaction,
  totps: readonly StoredTotp[],
  code: string,
): Promise<boolean> {
  for (const { id, secretEncrypted } of totps) {
    const step = stepOf(op, unseal(op.factorKey, id, secretEncrypted), code)
    if (step !== null && (await spendStep(tx, id, step, op.now()))) return true
  }
  return false
}

/** The time step of the code; null if none that is valid now. */
function stepOf(op: Op, secret: string, code: string): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = op.now().getTime()
  const totp = new TOTP({
    secret: Secret.fromBase32(secret),
    digits: DIGITS,
    period: PERIOD_SECONDS,
  })
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}
