import { describe, expect, test } from 'vitest'
import { form } from '../../e2e/support/protocol'
import { answeringOf } from './request-object'

const where = { clientId: 'app', redirectUri: 'https://rp.test/cb' }
const outside = { state: 'outside', response_mode: 'query' }
const inside = { state: 'inside', response_mode: 'form_post' }
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const request = (object: unknown) => `${encoded({ alg: 'none' })}.${encoded(object)}.`

describe('B33: how the refusal of a request object is sent', () => {
  test.each<[string, string, object]>([
    ['what it says', request(inside), { state: 'inside', responseMode: 'form_post' }],
    ['what it leaves out', request({ state: 's' }), { state: 's', responseMode: 'query' }],
    ['for this client', request({ ...inside, client_id: 'app', iss: 'app' }), { state: 'inside' }],
    ['of another client', request({ ...inside, client_id: 'x' }), { state: 'outside' }],
    ['from another issuer', request({ ...inside, iss: 'x' }), { state: 'outside' }],
    ['for another place', request({ ...inside, redirect_uri: 'x' }), { state: 'outside' }],
    ['values that are no text', request({ state: 7, response_mode: [] }), { state: 'outside' }],
    ['a state that is too long', request({ state: 'x'.repeat(4097) }), { state: 'outside' }],
    ['a list', request([inside]), { state: 'outside' }],
    ['null', request(null), { state: 'outside' }],
    ['an encrypted object', `${request(inside)}.x.y`, { state: 'outside' }],
    ['no JSON', 'a.b.c', { state: 'outside' }],
    ['no object', 'x', { state: 'outside' }],
    ['nothing', '', { state: 'outside' }],
  ])('%s', (_what, object, expected) => {
    const fields = form({ ...outside, request: object })
    expect(answeringOf(fields, where)).toMatchObject(expected)
  })

  test('without one, the parameters', () => {
    const expected = { state: 'outside', responseMode: 'query' }
    expect(answeringOf(form(outside), where)).toEqual(expected)
    expect(answeringOf(form({}), where)).toEqual({ state: undefined, responseMode: undefined })
  })
})
