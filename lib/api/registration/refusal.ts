import { type Incoming, pathOf } from '../../base/http'
import type { Op } from '../../context/op'
import type { Handler } from '../../oidc/endpoint'
import { isOAuthError, type OAuthError } from '../../oidc/errors'
import { nameIn } from '../../oidc/params'
import { paths } from '../../oidc/paths'
import { recordAtClient, recordUnknownClient, refusalOf, shown } from '../../oidc/refusal'
import type { Refusal } from '../../oidc/refusal-reasons'

/** Refusals of clients that make themselves known: at the application, if there is one already. */

/** `/oidc/register` and `/oidc/register/{client_id}`. */
export function recordingRefusals(handler: Handler<Op>): Handler<Op> {
  return async (op, incoming) => {
    try {
      return await handler(op, incoming)
    } catch (error) {
      const clientId = nameIn(pathOf(incoming.url).slice(paths.registration.length + 1))
      if (isOAuthError(error)) {
        await recordAt(op, incoming, clientId, 'registration.refused', refusalOf(error))
      }
      throw error
    }
  }
}

/** At the authorization endpoint: a client that a document describes. */
export async function recordDocumentRefusal(
  op: Op,
  incoming: Incoming,
  clientId: string,
  error: OAuthError,
): Promise<void> {
  const { reason } = error.refusal
  const { facts } = refusalOf(error)
  const refusal = { reason, facts: { ...facts, client_id: shown(clientId) } }
  await recordAt(op, incoming, clientId, 'authorize.refused', refusal)
}

async function recordAt(
  op: Op,
  incoming: Incoming,
  clientId: string,
  event: 'registration.refused' | 'authorize.refused',
  refusal: Refusal,
): Promise<void> {
  if (await recordAtClient(op, incoming, clientId, event, refusal)) return
  recordUnknownClient(op, incoming, event, refusal)
}
