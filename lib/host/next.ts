import { after } from 'next/server'
import type { Op } from '../context/op'
import type { Endpoint } from '../oidc/endpoint'
import { op } from '../op'
import { answerRequest } from './web-request'

/** Makes a route handler of Next.js from an endpoint. */

type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type RouteHandler = (request: Request) => Promise<Response>

/** Every method goes to the endpoint, so that both hosts answer a wrong one with the same 405. */
export function route(endpoint: Endpoint<Op>): Record<RouteMethod, RouteHandler> {
  const handle: RouteHandler = async (request) => {
    const portal = await op()
    const response = await answerRequest(portal, endpoint, request)
    // A serverless function may be frozen after its answer: batches are written before that.
    after(portal.settled)
    return response
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
