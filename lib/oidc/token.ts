import { type Incoming, json, NO_STORE, type Reply } from '../http'
import type { Client } from './client'
import { authenticateClient } from './client-auth'
import { OAuthError } from './errors'
import { type Grant, grants } from './grants'
import { type Form, readForm } from './params'
import type { Op } from './provider'

/** POST /oidc/token (RFC 6749 §3.2) */
export async function token(op: Op, incoming: Incoming): Promise<Reply> {
  const form = await readForm(incoming)
  const client = await authenticateClient(op, incoming, form)
  const grant = grantFor(client, form)
  return json(200, await grant(op, client, form, incoming), NO_STORE)
}

function grantFor(client: Client, form: Form): Grant {
  const grantType = form.get('grant_type')
  if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is missing')
  const grant = Object.hasOwn(grants, grantType) ? grants[grantType] : undefined
  if (!grant) throw new OAuthError('unsupported_grant_type', 'this grant type is not supported')
  if (!client.application.grantTypes.includes(grantType)) {
    throw new OAuthError('unauthorized_client', 'the application may not use this grant type')
  }
  return grant
}
