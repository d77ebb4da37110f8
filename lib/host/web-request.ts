import { callerAddress } from '../base/caller'
import { BodyTooLarge, type Incoming } from '../base/http'
import { requestContext } from '../base/request-context'
import type { Op } from '../context/op'
import { newRequestId } from '../crypto/secrets'
import type { Endpoint } from '../oidc/endpoint'
import { answersHost, FOREIGN_HOST } from './known-host'
import { toResponse } from './response'
import { serve } from './serve'

/** Answers a web `Request`: for the route handlers of Next.js, and for tests without a server. */
export async function answerRequest(
  op: Op,
  endpoint: Endpoint<Op>,
  request: Request,
): Promise<Response> {
  if (!answersHost(op.config, endpoint.name, request.headers)) {
    return toResponse(FOREIGN_HOST, request.method)
  }
  const reply = await serve(op, endpoint, fromRequest(op, request))
  return toResponse(reply, request.method, reply.sent)
}

function fromRequest(op: Op, request: Request): Incoming {
  const { pathname, search } = new URL(request.url)
  const context = requestContext().getStore()
  const forwardedFor = request.headers.get('x-forwarded-for')
  return {
    method: request.method,
    url: pathname + search,
    headers: request.headers,
    ip: context ? context.ip : callerAddress(forwardedFor, null, op.config.trustedProxies),
    // Without the Node host the address is unknown, and Next.js writes the header itself.
    claimed: context?.claimed,
    requestId: context?.requestId ?? newRequestId(),
    body: (limit) => readBody(request, limit),
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.length
    if (length > limit) {
      await reader?.cancel()
      throw new BodyTooLarge()
    }
    chunks.push(next.value)
  }
  return Buffer.concat(chunks)
}
