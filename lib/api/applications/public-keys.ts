import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { rule } from '../../i18n/error-message'

/** The public keys of an application (RFC 7517). Private members are refused. */

const PUBLIC_MEMBERS = new Set([
  ...['kty', 'use', 'key_ops', 'alg', 'kid', 'x5c', 'x5t', 'x5t#S256'],
  ...['crv', 'x', 'y', 'n', 'e'],
])
const PRIVATE_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])
const MIN_RSA = 2048
const MAX_KID_LENGTH = 255

const keySchema = z
  .looseObject({ kty: z.enum(['EC', 'RSA', 'OKP']) })
  .superRefine((key, context) => {
    const unknown = Object.keys(key).filter((name) => !PUBLIC_MEMBERS.has(name))
    for (const name of unknown) {
      const code = PRIVATE_MEMBERS.has(name) ? 'keys_private' : 'unrecognized_keys'
      context.addIssue({ code: 'custom', path: [name], message: rule(code) })
    }
    const problem = unknown.length === 0 ? keyProblem(key) : null
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })

function keyProblem(key: Record<string, unknown>): string | null {
  const { kid = '' } = key
  if (typeof kid !== 'string' || kid.length > MAX_KID_LENGTH)
    return rule('keys_kid', { maximum: String(MAX_KID_LENGTH) })
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' })
    const bits = asymmetricKeyDetails?.modulusLength ?? MIN_RSA
    return bits < MIN_RSA ? rule('keys_short', { minimum: String(MIN_RSA) }) : null
  } catch {
    return rule('keys_not_public')
  }
}

const keysSchema = z.strictObject({ keys: z.array(keySchema).min(1).max(20) })

/** Keys are pasted as JSON, so their type is unknown until the schema has checked them. */
export const publicKeysSchema: z.ZodType<z.output<typeof keysSchema>, unknown> = keysSchema
