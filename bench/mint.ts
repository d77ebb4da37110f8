import { signJwt } from '../lib/crypto/jwt'
import { openKey, type SigningKey } from '../lib/crypto/keys'
import { deriveKey, newDatedId } from '../lib/crypto/secrets'
import { openDatabase } from '../lib/store/database/database'
import { keyIn, signingKeyStore } from '../lib/store/tokens/signing-keys'
import { AUDIENCE, itemKey } from './seed'

/**
 * Access tokens of machines as the portal itself would sign them, made outside of it: no process of
 * it has seen them before they are asked about.
 */
export function minter(url: string, secret: string, issuer: string) {
  let key: Promise<SigningKey> | null = null
  return async (clientId: string): Promise<string> => {
    key ??= signingKeyOf(url, secret)
    const iat = Math.floor(Date.now() / 1000)
    return signJwt(await key, 'at+jwt', {
      iss: issuer,
      sub: clientId,
      aud: AUDIENCE,
      client_id: clientId,
      scope: `${itemKey(0)} ${itemKey(1)}`,
      jti: newDatedId('dec'),
      iat,
      exp: iat + 3600,
    })
  }
}

async function signingKeyOf(url: string, secret: string): Promise<SigningKey> {
  const db = await openDatabase(url)
  try {
    const stored = keyIn(await signingKeyStore(db).list(), 'ES256', 'active')
    if (!stored) throw new Error('the portal has no signing key yet')
    return await openKey(deriveKey(secret, 'key encryption'), stored)
  } finally {
    await db.$disconnect()
  }
}
