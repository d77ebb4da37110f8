import { expect, test } from 'vitest'
import { incoming, opOf } from '../../e2e/support/protocol'
import { answer, type Endpoint, URL_LIMIT } from './endpoint'
import { OAuthError } from './errors'

const endpoint: Endpoint = {
  name: 'token',
  methods: {
    POST: async () => {
      throw new OAuthError('invalid_grant', 'no', 'code_used')
    },
  },
}

test.each([
  ['what a handler refuses', {}, 400, 'invalid_grant', 'code_used'],
  ['D1: another method', { method: 'GET' }, 405, 'method_not_allowed', 'http_method'],
  ['a long URL', { url: `/${'x'.repeat(URL_LIMIT)}` }, 414, 'uri_too_long', 'url_too_long'],
])('%s has its reason beside the reply', async (_what, more, status, error, reason) => {
  const asked = { ...incoming(), ...more }
  const reply = await answer(opOf(), endpoint, asked, () => {})
  expect([reply.status, reply.refusal]).toEqual([status, { error, reason }])
  expect(reply.body).not.toContain(reason)
})
