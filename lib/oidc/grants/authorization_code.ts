import type { Incoming } from '../../base/http'
import { newSecret } from '../../crypto/secrets'
import type { CredentialUse } from '../audit-event'
import type { Client } from '../client'
import { OAuthError } from '../errors'
import type { Form } from '../params'
import { proves, teachesPkce, whyRequired } from '../pkce'
import type { Provider } from '../provider'
import type { ReasonOf } from '../refusal-reasons'
import type { PresentedCode, StoredCode } from '../stores'
import { tokenIssued } from './issued'
import { newRefresh, newTokenGrant, settleAuthorized } from './redeem'
import type { TokenResponse } from './token-response'
import { belongsTo, invalidGrant, narrowedResources, userTokenResponse } from './user-tokens'

const GRANT_TYPE = 'authorization_code'

/** RFC 6749 §4.1.3 */
export async function authorizationCode(
  op: Provider,
  client: Client,
  form: Form,
  incoming: Incoming,
): Promise<TokenResponse> {
  const { code, userIsActive, answered } = await requireCode(op, client, form)
  if (!userIsActive) throw invalidGrant('user_disabled')
  const audiences = await narrowedResources(op, client, form, code.resources)
  const settled = await settleAuthorized(op, client, incoming, { answered, ...code }, audiences)
  const grant = newTokenGrant(op, client, code, settled)
  const refreshToken = grant.offline ? newSecret('ghrt') : null
  const tokenId = op.newTokenId()
  const { userId } = code
  const event = tokenIssued(client, incoming, { grantType: GRANT_TYPE, userId, tokenId, settled })
  const won = await op.codes.exchange(
    code.codeHash,
    op.now(),
    grant,
    newRefresh(op, refreshToken),
    event,
  )
  if (!won) throw await replayed(op, client, incoming, code.codeHash)
  if (code.challenge !== null) await learnPkce(op, client, incoming)
  op.meter.tokenIssued(GRANT_TYPE)
  const { nonce } = code
  op.noteUse(signIn(client, incoming, code))
  const tokens = { client, incoming, grant, settled, audiences, tokenId, refreshToken, nonce }
  return userTokenResponse(op, tokens)
}

/**
 * An unknown code, one of another client, an expired one, a wrong redirect URI and a wrong verifier
 * get the same answer.
 */
async function requireCode(op: Provider, client: Client, form: Form): Promise<PresentedCode> {
  const value = form.get('code')
  if (value === undefined) {
    throw new OAuthError('invalid_request', 'code is missing', 'code_missing')
  }
  const redirectUri = form.get('redirect_uri')
  if (redirectUri === undefined) {
    throw new OAuthError('invalid_request', 'redirect_uri is missing', 'redirect_uri_missing')
  }
  const presented = await op.codes.findWithUser(op.hashSecret(value))
  if (!presented) throw invalidGrant('code_unknown')
  if (!belongsTo(client, presented.code)) throw invalidGrant('code_other_client')
  const { code } = presented
  if (code.redirectUri !== redirectUri) throw invalidGrant('code_redirect_uri')
  if (code.challenge === null && whyRequired(client.application, op.pkceRules()) !== null) {
    throw invalidGrant('code_without_pkce')
  }
  if (!proves(code.challenge, form.get('code_verifier'))) {
    await op.codes.countFailure(code.codeHash, op.now())
    throw invalidGrant('code_verifier')
  }
  return presented
}

/** For those who manage the application: does its library use what protects a sign-in? */
function signIn(
  { application: { id } }: Client,
  { ip }: Incoming,
  { challenge, nonce }: StoredCode,
): CredentialUse {
  return { kind: 'sign_in', id, ip, pkce: challenge !== null, nonce: nonce !== null }
}

/** The tokens are issued already: if this fails, the next exchange teaches it. */
async function learnPkce(op: Provider, client: Client, incoming: Incoming): Promise<void> {
  if (!teachesPkce(client)) return
  const { id } = client.application
  const event = {
    ...byClient(client, incoming),
    event: 'application.pkce_learned',
    result: 'success',
    targetKind: 'application',
    targetId: id,
    detail: {},
  } as const
  await op.learnPkce(id, event).catch((error) => op.report(error, incoming.requestId))
}

function byClient({ id, application }: Client, { ip, requestId }: Incoming) {
  return { actorKind: 'client', actorId: id, applicationId: application.id, ip, requestId } as const
}

/**
 * The code has expired or was used before. A second use by the right client, with every proof,
 * revokes what the first use issued (RFC 6749 §4.1.2). A caller with less proof never gets here.
 */
async function replayed(op: Provider, client: Client, incoming: Incoming, codeHash: string) {
  const code = await op.codes.find(codeHash)
  if (code?.tokenGrantId) {
    await op.tokenGrants.revoke(code.tokenGrantId, 'code_replay', op.now(), {
      ...byClient(client, incoming),
      event: 'code.replayed',
      result: 'failure',
      targetKind: 'token_grant',
      targetId: code.tokenGrantId,
      detail: {},
    })
  }
  return invalidGrant(whySpent(code))
}

/** A code is used up by its exchange, or by too many wrong proofs. */
function whySpent(code: StoredCode | null): ReasonOf<'invalid_grant'> {
  if (!code) return 'code_unknown'
  if (code.usedAt !== null) return code.tokenGrantId === null ? 'code_blocked' : 'code_used'
  return 'code_expired'
}
