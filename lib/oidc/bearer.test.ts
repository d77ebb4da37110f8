import { expect, test } from 'vitest'
import { incoming, refusalIn } from '../../e2e/support/protocol'
import type { Incoming } from '../base/http'
import { readBearer } from './bearer'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const withHeader = (authorization: string) => incoming({ authorization })
const inForm: Incoming = {
  ...incoming({ ...form, authorization: 'Bearer a' }),
  body: async () => Buffer.from('access_token=b'),
}

test.each<[string, Incoming, string]>([
  [
    'in the URL',
    { ...incoming(), url: '/oidc/me?access_token=a' },
    'invalid_request access_token_in_url',
  ],
  ['two headers', withHeader('Bearer a, Bearer b'), 'invalid_request access_token_repeated'],
  ['in the header and in the form', inForm, 'invalid_request access_token_repeated'],
  ['another scheme', withHeader('Basic eDp5'), 'invalid_token access_token_malformed'],
  ['no token after the scheme', withHeader('Bearer '), 'invalid_token access_token_malformed'],
])('an access token is refused: %s (RFC 6750 §2)', async (_what, request, refusal) => {
  expect(await refusalIn(() => readBearer(request))).toBe(refusal)
})

test('no token is no refusal yet', async () => {
  expect(await readBearer(incoming())).toBeNull()
})
