import type { Incoming } from '../../base/http'
import type { Client } from '../client'
import { clientIn } from '../client-auth'
import { clientContext } from '../context'
import { OAuthError } from '../errors'
import { issueAccessToken } from '../issue'
import type { Form } from '../params'
import { askedResources, askedScopes } from '../parse-authorization-request'
import type { Provider } from '../provider'
import { askedBy, rejectedMembers, settleScopes } from '../scopes'
import { tokenIssued } from './issued'
import type { TokenResponse } from './token-response'

const GRANT_TYPE = 'client_credentials'

/** RFC 6749 §4.4: the client asks on its own behalf. */
export async function clientCredentials(
  op: Provider,
  authenticated: Client,
  form: Form,
  incoming: Incoming,
): Promise<TokenResponse> {
  if (!authenticated.confidential) {
    throw new OAuthError(
      'unauthorized_client',
      'a public client cannot use this grant type',
      'confidential_only',
    )
  }
  const snapshot = await op.snapshot({ clients: [authenticated.id] })
  const { policy } = snapshot
  const client = clientIn(op, snapshot, authenticated)
  const audiences = await askedResources(op, client.application, form)
  const settled = await settleScopes(op, policy, client, {
    scopes: askedScopes(client.application, form),
    userId: null,
    withheld: null,
    audiences,
    context: clientContext(op, incoming, client, GRANT_TYPE),
    ...askedBy(client),
  })
  const tokenId = op.newTokenId()
  const { granted: scopes, until } = settled
  const asked = { client, subject: client.id, scopes, policy, audiences, tokenId, until }
  const issued = await issueAccessToken(op, asked)
  op.meter.tokenIssued(GRANT_TYPE)
  op.record(
    tokenIssued(client, incoming, { grantType: GRANT_TYPE, userId: null, tokenId, settled }),
  )
  return {
    access_token: issued.token,
    token_type: 'Bearer',
    expires_in: issued.expiresIn,
    scope: scopes.join(' '),
    ...rejectedMembers(op, client, settled, tokenId),
  }
}
