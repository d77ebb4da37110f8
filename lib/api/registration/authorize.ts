import type { Op } from '../../context/op'
import type { Endpoint } from '../../oidc/endpoint'
import { authorizeEndpoint } from '../../oidc/endpoints'
import { isOAuthError } from '../../oidc/errors'
import { isAddress } from './document'
import { ensureDocumentClient } from './document-client'
import { recordDocumentRefusal } from './refusal'

/** The authorization endpoint, to which a client may come whose ID is an address. */
export const openAuthorizeEndpoint: Endpoint<Op> = authorizeEndpoint(
  async (op, incoming, asked) => {
    const { clientId } = asked
    if (!isAddress(clientId)) return
    await ensureDocumentClient(op, incoming, asked).catch(async (error) => {
      if (isOAuthError(error)) await recordDocumentRefusal(op, incoming, clientId, error)
      throw error
    })
  },
)
