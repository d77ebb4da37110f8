import { createPublicKey } from 'node:crypto'
import { z } from 'zod'

/** The public keys of an application (RFC 7517). Private members are refused. */

const PUBLIC_MEMBERS = new Set([
  ...['kty', 'use', 'key_ops', 'alg', 'kid', 'x5c', 'x5t', 'x5t#S256'],
  ...['crv', 'x', 'y', 'n', 'e'],
])
const PRIVATE_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])
const SHORTEST_RSA = 2048
const LONGEST_KID = 255

const keySchema = z
  .looseObject({ kty: z.enum(['EC', 'RSA', 'OKP']) })
  .superRefine((key, context) => {
    const strangers = Object.keys(key).filter((name) => !PUBLIC_MEMBERS.has(name))
    for (const name of strangers) {
      const message = PRIVATE_MEMBERS.has(name)
        ? 'this member belongs to a private key: send only public keys, and replace this key pair'
        : 'this field does not exist'
      context.addIssue({ code: 'custom', path: [name], message })
    }
    const problem = strangers.length === 0 ? keyProblem(key) : null
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })

function keyProblem(key: Record<string, unknown>): string | null {
  const { kid = '' } = key
  if (typeof kid !== 'string' || kid.length > LONGEST_KID)
    return 'kid must be a string of at most 255 characters'
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' })
    const bits = asymmetricKeyDetails?.modulusLength ?? SHORTEST_RSA
    return bits < SHORTEST_RSA ? `an RSA key must have at least ${SHORTEST_RSA} bits` : null
  } catch {
    return 'this is not a public key'
  }
}

const keysSchema = z.strictObject({ keys: z.array(keySchema).min(1).max(20) })

/** Keys are pasted as JSON, so their type is unknown until the schema has checked them. */
export const publicKeysSchema: z.ZodType<z.output<typeof keysSchema>, unknown> = keysSchema
