import type { Incoming } from '../../base/http'
import type { AuditEvent } from '../audit-event'
import type { Client } from '../client'
import { type DecidedScopes, forAudit } from '../scopes'

type IssuedToken = {
  grantType: string
  /** Null if the client asked on its own behalf. */
  userId: string | null
  tokenId: string
  settled: DecidedScopes
  /** True if a used refresh token was answered again. */
  repeat?: boolean
  /** A token exchange: the token that it was exchanged for, and the applications on the way. */
  exchange?: {
    subject_token: string
    from: string
    first: string
    chain: readonly string[]
    impersonation: boolean
  }
}

/** One decision, one token: `jti` is the ID of both (docs/architecture.md, decision 2). */
export function tokenIssued(
  client: Client,
  { ip, requestId }: Incoming,
  { grantType, userId, tokenId, settled, repeat = false, exchange }: IssuedToken,
): AuditEvent {
  const { granted, refused } = settled
  return {
    event: 'token.issued',
    result: 'success',
    ...(userId === null
      ? { actorKind: 'client', actorId: client.id }
      : { actorKind: 'user', actorId: userId }),
    applicationId: client.application.id,
    ip,
    requestId,
    decisionId: tokenId,
    detail: {
      grant_type: grantType,
      scope: granted,
      refused: refused.map(forAudit),
      ...(repeat && { repeat }),
      ...(exchange && { exchange }),
    },
    ...(settled.basis && { basis: settled.basis }),
  }
}
