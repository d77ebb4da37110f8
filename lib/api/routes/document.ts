import { z } from 'zod'
import { openapi } from '../openapi'
import { type Route, route } from '../route'

/** The document describes the table that it stands in. */
export function documentRoutes(others: readonly Route[]): Route[] {
  const own: Route = route({
    id: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Reference',
    summary: 'This API as an OpenAPI 3.1 document',
    scope: 'public',
    answers: { 200: z.looseObject({ openapi: z.string() }) },
    async handle(op) {
      const body = openapi([...others, own], op.origin, op.issuer)
      return { status: 200, body, headers: { 'Cache-Control': 'public, max-age=300' } }
    },
  })
  return [own]
}
