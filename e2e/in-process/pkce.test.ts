import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { alice, demo, portal, startAuthorize, web } from '../support/authorize'
import { authorizeUrl, exchange, pkcePair, received } from '../support/flow'

startAuthorize()

describe('C: PKCE', () => {
  const spa = (more: Record<string, string> = {}) => ({
    ...web(),
    client_id: demo.spa.client_id,
    redirect_uri: demo.spa.redirect_uris[0] ?? '',
    ...more,
  })
  const refusal = async (fields: Record<string, string>) =>
    received(await alice.open(authorizeUrl(fields)))

  test('C1: a public client without a challenge', async () => {
    expect(await refusal(spa())).toMatchObject({
      error: 'invalid_request',
      error_description: 'code challenge required',
    })
  })

  test('C2, C3, C4: plain, no method, no challenge, malformed', async () => {
    const { challenge } = pkcePair()
    for (const more of [
      { code_challenge: challenge, code_challenge_method: 'plain' },
      { code_challenge: challenge },
      { code_challenge_method: 'S256' },
      { code_challenge: 'short', code_challenge_method: 'S256' },
      { code_challenge: `${challenge}=`, code_challenge_method: 'S256' },
    ] as Record<string, string>[]) {
      expect((await refusal(web(more))).error).toBe('invalid_request')
    }
  })

  async function codeWith(more: Record<string, string>): Promise<string> {
    return received(await alice.open(authorizeUrl(web(more)))).code ?? ''
  }

  const S256 = { code_challenge_method: 'S256' }

  test('C5, C6, C8, C9: no verifier, a wrong or a malformed one; the right one still works', async () => {
    const { verifier, challenge } = pkcePair()
    const code = await codeWith({ code_challenge: challenge, ...S256 })
    const attempts = [
      {},
      { code_verifier: '' },
      { code_verifier: pkcePair().verifier },
      { code_verifier: 'short' },
    ]
    for (const attempt of attempts as Record<string, string>[]) {
      const answer = await exchange(portal, code, attempt)
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_grant'])
    }
    expect((await exchange(portal, code, { code_verifier: verifier })).status).toBe(200)
  })

  test('C6: after five failures the code is burnt', async () => {
    const { verifier, challenge } = pkcePair()
    const code = await codeWith({ code_challenge: challenge, ...S256 })
    for (let i = 0; i < 5; i += 1)
      await exchange(portal, code, { code_verifier: pkcePair().verifier })
    expect((await exchange(portal, code, { code_verifier: verifier })).status).toBe(400)
  })

  test('C7: a verifier for a code without a challenge', async () => {
    const answer = await exchange(portal, await codeWith({}), {
      code_verifier: pkcePair().verifier,
    })
    expect(JSON.parse(answer.body).error).toBe('invalid_grant')
  })

  test('C11: discovery says S256 only', async () => {
    const { body } = await ask(portal.origin, { path: '/.well-known/openid-configuration' })
    expect(JSON.parse(body).code_challenge_methods_supported).toEqual(['S256'])
  })
})
