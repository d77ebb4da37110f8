import { sameDigest, sha256 } from '../crypto/secrets'
import type { Credential } from './client'
import { OAuthError } from './errors'
import type { Form } from './params'
import type { ReasonOf } from './refusal-reasons'

/** PKCE (RFC 7636), S256 only. */

export const CHALLENGE_METHODS = ['S256']

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

export function readChallenge({ application }: Credential, form: Form): string | null {
  const challenge = form.get('code_challenge')
  const method = form.get('code_challenge_method')
  if (challenge === undefined) {
    if (method !== undefined) throw invalid('code_challenge is missing')
    if (application.requirePkce || isPublic(application.authMethods)) {
      // RFC 7636 §4.4.1
      throw invalid('code challenge required', 'pkce_missing')
    }
    return null
  }
  if (method !== 'S256') throw invalid('transform algorithm not supported')
  if (!CHALLENGE.test(challenge)) throw invalid('code_challenge is malformed')
  return challenge
}

/** Whatever the settings say: without a secret, PKCE is what binds the code to the client. */
function isPublic(authMethods: readonly string[]): boolean {
  return authMethods.includes('none')
}

/** Both or neither: a verifier for a code without a challenge is a downgrade (RFC 9700 §4.8.2). */
export function proves(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined)
    return challenge === null && verifier === undefined
  if (!VERIFIER.test(verifier)) return false
  return sameDigest(sha256(verifier), challenge)
}

function invalid(
  description: string,
  reason: ReasonOf<'invalid_request'> = 'code_challenge',
): OAuthError {
  return new OAuthError('invalid_request', description, reason)
}
