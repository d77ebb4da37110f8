import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Demo } from '../../lib/operations/demo'
import { aliceAtWeb } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { clientFetch } from '../support/send'

/** What people really use, through the whole flow. */

let portal: OpenPortal
let demo: Demo

beforeAll(async () => {
  portal = await openPortal()
  demo = portal.demo()
})

afterAll(() => portal.stop())

const scope = 'openid profile email offline_access orders:read nope'

describe('openid-client', () => {
  test('discovery, code with PKCE, userinfo, refresh, introspection, revocation, logout', async () => {
    const { client_id, client_secret, redirect_uris, post_logout_redirect_uris } = demo.web
    const settings = await openid.discovery(
      new URL(portal.origin),
      client_id,
      client_secret,
      undefined,
      {
        execute: [openid.allowInsecureRequests],
        [openid.customFetch]: clientFetch,
      },
    )
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedNonce = openid.randomNonce()
    const expectedState = openid.randomState()
    const address = openid.buildAuthorizationUrl(settings, {
      redirect_uri: redirect_uris[0] ?? '',
      scope,
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const browser = await aliceAtWeb(portal)
    const { url } = await browser.open(address.href)
    const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true }
    const tokens = await openid.authorizationCodeGrant(settings, new URL(url), checks)
    expect(tokens.scope).toBe('openid profile email offline_access orders:read')
    expect(tokens.scope_rejected).toBe('nope')
    const sub = tokens.claims()?.sub ?? ''
    const info = await openid.fetchUserInfo(settings, tokens.access_token, sub)
    expect(info).toMatchObject({ sub, name: 'Alice Clerk', email: 'alice@gatehouse.example' })
    const fresh = await openid.refreshTokenGrant(settings, tokens.refresh_token ?? '')
    expect(fresh.claims()?.sub).toBe(sub)
    expect((await openid.tokenIntrospection(settings, fresh.access_token)).active).toBe(true)
    await openid.tokenRevocation(settings, fresh.refresh_token ?? '')
    expect((await openid.tokenIntrospection(settings, fresh.access_token)).active).toBe(false)
    const goodbye = openid.buildEndSessionUrl(settings, {
      post_logout_redirect_uri: post_logout_redirect_uris[0] ?? '',
      id_token_hint: tokens.id_token ?? '',
      state: 'bye',
    })
    expect((await browser.open(goodbye.href)).url).toBe(`${post_logout_redirect_uris[0]}?state=bye`)
  })
})

describe('oauth4webapi', () => {
  test('a public single-page app: code with PKCE, and refresh', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: clientFetch }
    const issuer = new URL(portal.origin)
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, insecure),
    )
    const client = { client_id: demo.spa.client_id }
    const redirectUri = demo.spa.redirect_uris[0] ?? ''
    const verifier = oauth.generateRandomCodeVerifier()
    const address = new URL(server.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid offline_access orders:read',
      state: 'state',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const browser = await aliceAtWeb(portal)
    const asked = await browser.open(address.href)
    const { url } = await browser.submit(asked, { scope: ['orders:read'] })
    const params = oauth.validateAuthResponse(server, client, new URL(url), 'state')
    const none = oauth.None()
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      none,
      params,
      redirectUri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response)
    expect(tokens.scope).toBe('openid offline_access orders:read')
    // To a public client an unknown and a forbidden scope look the same: no reasons.
    expect(tokens).not.toHaveProperty('scope_rejected_reasons')
    const refreshed = await oauth.refreshTokenGrantRequest(
      server,
      client,
      none,
      tokens.refresh_token ?? '',
      insecure,
    )
    const next = await oauth.processRefreshTokenResponse(server, client, refreshed)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
  })
})
