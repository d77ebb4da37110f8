import { type Incoming, queryOf } from '../../base/http'
import type { Op } from '../../context/op'
import type { Endpoint, Handler } from '../../oidc/endpoint'
import { authorizeEndpoint } from '../../oidc/endpoints'
import { FORM_LIMIT_BYTES, nameIn } from '../../oidc/params'
import { isAddress } from './document'
import { ensureDocumentClient } from './document-client'

/** The authorization endpoint, to which a client may come whose ID is an address. */

export const openAuthorizeEndpoint: Endpoint<Op> = {
  ...authorizeEndpoint,
  methods: {
    GET: knowingDocuments(authorizeEndpoint.methods.GET),
    POST: knowingDocuments(authorizeEndpoint.methods.POST),
  },
}

function knowingDocuments(handler: Handler<Op> | undefined): Handler<Op> {
  if (!handler) throw new Error('the authorization endpoint has no such method')
  return async (op, incoming) => {
    const again = withBodyKept(incoming)
    const asked = await askedIn(again)
    const clientId = nameIn(asked?.get('client_id'))
    if (asked && isAddress(clientId)) {
      const redirectUri = asked.get('redirect_uri') ?? undefined
      await ensureDocumentClient(op, again, { clientId, redirectUri })
    }
    return handler(op, again)
  }
}

/** The body is read here and by the endpoint. */
function withBodyKept(incoming: Incoming): Incoming {
  let read: Promise<Uint8Array> | undefined
  return {
    ...incoming,
    body(limit) {
      read ??= incoming.body(limit)
      return read
    },
  }
}

/** Null if it cannot be read, or names a parameter twice: the endpoint says what is wrong with it. */
async function askedIn(incoming: Incoming): Promise<URLSearchParams | null> {
  const text = incoming.method === 'POST' ? await formText(incoming) : queryOf(incoming.url)
  const asked = new URLSearchParams(text)
  return ['client_id', 'redirect_uri'].some((name) => asked.getAll(name).length > 1) ? null : asked
}

async function formText(incoming: Incoming): Promise<string> {
  const type = incoming.headers.get('content-type') ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) return ''
  const bytes = await incoming.body(FORM_LIMIT_BYTES).catch(() => null)
  return bytes === null ? '' : Buffer.from(bytes).toString('utf8')
}
