import { after } from 'next/server'
import { callerAddress } from '../base/caller'
import { BodyTooLarge, type Incoming } from '../base/http'
import { requestContext } from '../base/request-context'
import type { Op } from '../context/op'
import { newRequestId } from '../crypto/secrets'
import type { Endpoint } from '../oidc/endpoint'
import { op } from '../op'
import { answersHost, FOREIGN_HOST } from './known-host'
import { toResponse } from './response'
import { serve } from './serve'

/** Translates between a Next.js route handler and Incoming and Reply. */

type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type RouteHandler = (request: Request) => Promise<Response>

/** Every method goes to the endpoint, so that both hosts answer a wrong one with the same 405. */
export function route(endpoint: Endpoint<Op>): Record<RouteMethod, RouteHandler> {
  const handle: RouteHandler = async (request) => {
    const portal = await op()
    if (!answersHost(portal.config, endpoint.name, request.headers)) {
      return toResponse(FOREIGN_HOST, request.method)
    }
    const reply = await serve(portal, endpoint, fromRequest(portal, request))
    // A serverless function may be frozen after its answer: batches are written before that.
    after(portal.settled)
    return toResponse(reply, request.method, reply.sent)
  }
  return {
    GET: handle,
    HEAD: handle,
    POST: handle,
    PUT: handle,
    PATCH: handle,
    DELETE: handle,
    OPTIONS: handle,
  }
}

function fromRequest(portal: Op, request: Request): Incoming {
  const { pathname, search } = new URL(request.url)
  const context = requestContext().getStore()
  const forwardedFor = request.headers.get('x-forwarded-for')
  return {
    method: request.method,
    url: pathname + search,
    headers: request.headers,
    ip: context ? context.ip : callerAddress(forwardedFor, null, portal.config.trustedProxies),
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
