import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildRequest } from './playground'

const ORIGIN = 'https://id.example.com'
const KNOWN = { client: 'app_1', redirectUri: 'https://app.example.com/cb', isPublic: false }

describe('the playground', () => {
  test('a request with PKCE, and only what was asked for', () => {
    const built = buildRequest(ORIGIN, KNOWN, { scope: 'openid\n orders:read', prompt: 'login' })
    const { origin, pathname, searchParams } = new URL(built.url)
    expect(origin + pathname).toBe(`${ORIGIN}/oidc/auth`)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: 'app_1',
      scope: 'openid orders:read',
      prompt: 'login',
      code_challenge: createHash('sha256').update(built.verifier).digest('base64url'),
    })
    expect(searchParams.has('login_hint')).toBe(false)
    expect(buildRequest(ORIGIN, KNOWN, {}).verifier).not.toBe(built.verifier)
  })

  test('what goes to a shell stays one word (N20)', () => {
    const known = { ...KNOWN, redirectUri: "https://a.example/'; rm -rf ~; '", isPublic: true }
    const { curl } = buildRequest(ORIGIN, known, {})
    expect(curl).toContain(`'redirect_uri=https://a.example/'\\''; rm -rf ~; '\\'''`)
    expect(curl).not.toContain('client_secret')
  })
})
