import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** AES-256-GCM; `bound` ties a ciphertext to its row, so rows cannot be swapped. */

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export class SealError extends Error {}

export function seal(key: Buffer, bound: string, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(bound))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

export function unseal(key: Buffer, bound: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(bound))
    decipher.setAuthTag(tag)
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new SealError(
      'cannot be decrypted: GATEHOUSE_SECRET is not the one that it was encrypted with',
      {
        cause,
      },
    )
  }
}
