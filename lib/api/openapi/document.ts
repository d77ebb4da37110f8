import { z } from 'zod'
import { operation, type Result, type TaggedOperation, tagged } from '../http/operation'
import { openapi } from './openapi'

const answers = { 200: z.looseObject({ openapi: z.string() }) }

/** The document describes the table that it is part of. */
export function documentRoutes(others: readonly TaggedOperation[]): TaggedOperation[] {
  const own = operation({
    id: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'Read this API as an OpenAPI 3.1 document',
    scope: 'public',
    answers,
    async handle(op): Promise<Result<typeof answers>> {
      const body = openapi([...others, ...routes], op.origin, op.issuer)
      return { status: 200, body, headers: { 'Cache-Control': 'public, max-age=300' } }
    },
  })
  const routes = tagged('Reference', [own])
  return routes
}
