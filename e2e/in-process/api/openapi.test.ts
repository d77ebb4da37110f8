import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../lib/api/table'
import { ask } from '../../support/ask'
import { type OpenPortal, openPortal } from '../../support/in-process'

/** The document that is served, and what a public linter says of it. */

type Document = {
  openapi: string
  paths: Record<string, Record<string, { operationId: string }>>
}

let portal: OpenPortal
let text: string
let document: Document

beforeAll(async () => {
  portal = await openPortal({ empty: true })
  text = (await ask(portal.origin, { path: '/api/v1/openapi.json' })).body
  document = JSON.parse(text)
})
afterAll(() => portal.stop())

describe('GET /api/v1/openapi.json', () => {
  test('describes every route of the table, once', () => {
    expect(document.openapi).toBe('3.1.1')
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids.toSorted()).toEqual(routes.map(({ id }) => id).toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('a public linter finds no error', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: text, config })
    const errors = problems.filter(({ severity }) => severity === 'error')
    expect(
      errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([])
  })
})
