import type { Op } from '../../context/op'
import type { Endpoint } from '../../oidc/endpoint'
import { authorizeEndpoint } from '../../oidc/endpoints'
import { isAddress } from './document'
import { ensureDocumentClient } from './document-client'

/** The authorization endpoint, to which a client may come whose ID is an address. */
export const openAuthorizeEndpoint: Endpoint<Op> = authorizeEndpoint(
  async (op, incoming, asked) => {
    if (isAddress(asked.clientId)) await ensureDocumentClient(op, incoming, asked)
  },
)
