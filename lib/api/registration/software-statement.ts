import { decodeJwt, errors, jwtVerify } from 'jose'
import type { Op } from '../../context/op'
import { ASSERTION_ALGORITHMS } from '../../oidc/client'
import { OAuthError } from '../../oidc/errors'
import type { ClientRegistration } from '../../settings/client-registration'

/**
 * A software statement (RFC 7591 §2.3): metadata that somebody whom an admin trusts has signed. Its
 * values replace those of the request.
 */

const CLAIMS_OF_JWT = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'])

export async function withStatement(
  op: Op,
  policy: ClientRegistration,
  sent: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { software_statement: statement } = sent
  if (statement === undefined) {
    if (!policy.requireStatement) return sent
    const description = 'a software statement is needed here'
    throw new OAuthError('invalid_software_statement', description, 'statement_missing')
  }
  const claims = await verified(op, policy, String(statement))
  const said = Object.entries(claims).filter(([name]) => !CLAIMS_OF_JWT.has(name))
  return { ...sent, ...Object.fromEntries(said), software_statement: statement }
}

async function verified(op: Op, policy: ClientRegistration, statement: string) {
  const issuer = claimedIssuer(statement)
  const trusted = policy.softwareIssuers.find((one) => one.issuer === issuer)
  if (!trusted) {
    const text = 'nobody who is trusted here signed the software statement'
    throw new OAuthError('unapproved_software_statement', text, 'statement_issuer')
  }
  try {
    const { payload } = await jwtVerify(statement, op.remoteKeys(trusted.jwksUri, 'admin'), {
      algorithms: [...ASSERTION_ALGORITHMS],
      issuer: trusted.issuer,
      currentDate: op.now(),
    })
    return payload
  } catch (cause) {
    const isOurs = cause instanceof errors.JOSEError
    const text = isOurs ? 'the software statement is not valid' : 'its keys cannot be read now'
    const reason = isOurs ? 'statement_invalid' : 'statement_keys'
    throw new OAuthError('invalid_software_statement', text, reason, { cause })
  }
}

function claimedIssuer(statement: string): unknown {
  try {
    return decodeJwt(statement).iss
  } catch (cause) {
    const text = 'the software statement is no JWT'
    throw new OAuthError('invalid_software_statement', text, 'statement_invalid', { cause })
  }
}
