import { sameDigest, sha256 } from '../crypto/secrets'
import type { Application, Client } from './client'
import { OAuthError } from './errors'
import type { Form } from './params'
import type { ReasonOf } from './refusal-reasons'

/** PKCE (RFC 7636), S256 only. */

export const CHALLENGE_METHODS = ['S256']

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

type Held = Pick<Application, 'authMethods' | 'pkce' | 'pkceLearned'>
type Rules = { portalRequires: boolean }

export function readChallenge(application: Held, rules: Rules, form: Form): string | null {
  const challenge = form.get('code_challenge')
  const method = form.get('code_challenge_method')
  if (challenge === undefined) {
    if (method !== undefined) throw invalid('code_challenge is missing')
    const why = whyRequired(application, rules)
    if (why === null) return null
    throw invalid(REQUIRED[why], why) // RFC 7636 §4.4.1
  }
  if (method !== 'S256') throw invalid('transform algorithm not supported')
  if (!CHALLENGE.test(challenge)) throw invalid('code_challenge is malformed')
  return challenge
}

type WhyRequired = 'pkce_missing' | 'pkce_learned' | 'pkce_portal'

const REQUIRED: Record<WhyRequired, string> = {
  pkce_missing: 'code challenge required',
  pkce_learned: 'code challenge required: the application has used PKCE before',
  pkce_portal: 'code challenge required from every application',
}

/**
 * Null if a request may come without. A public client needs it whatever the settings say: without
 * a secret, PKCE is what binds the code to the client.
 */
export function whyRequired(
  { authMethods, pkce, pkceLearned }: Held,
  { portalRequires }: Rules,
): WhyRequired | null {
  if (authMethods.includes('none') || pkce === 'required') return 'pkce_missing'
  if (pkceLearned) return 'pkce_learned'
  return portalRequires ? 'pkce_portal' : null
}

/**
 * A successful exchange by an authenticated client is the only teacher: a stranger's request cannot
 * lock the application out.
 */
export function teachesPkce({ application, confidential }: Client): boolean {
  return confidential && application.pkce === 'learned' && !application.pkceLearned
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
