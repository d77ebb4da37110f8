import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import type { Subject } from '../conformance/relying-party'
import { freePort } from './postgres'

/** npm's certified oidc-provider: where a module of the suite fails here, the module is wrong. */

export type Oracle = { subject: Subject; stop(): void }

const REDIRECT = 'http://localhost:4000/callback'
const REDIRECT2 = 'http://localhost:4001/callback'
const LOGGED_OUT = 'http://localhost:4000/logged-out'

const CLAIMS = {
  name: 'Oracle User',
  email: 'user@example.com',
  email_verified: true,
  address: { locality: 'Delphi' },
  phone_number: '+30 22650 82312',
}

/** `logoutPort`: where its first client listens for logout tokens; `callback`: another's address. */
export async function startOracle(logoutPort: number, callback?: string): Promise<Oracle> {
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'first',
        client_secret: 'the-secret-of-the-first-client',
        redirect_uris: [REDIRECT, ...(callback === undefined ? [] : [callback])],
        post_logout_redirect_uris: [LOGGED_OUT],
        grant_types: ['authorization_code', 'refresh_token'],
        backchannel_logout_uri: `http://localhost:${logoutPort}/`,
        backchannel_logout_session_required: true,
      },
      {
        client_id: 'second',
        token_endpoint_auth_method: 'none',
        redirect_uris: [REDIRECT2],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    pkce: { required: () => false },
    cookies: { keys: ['a-key-for-the-tests'], long: { sameSite: 'none' } },
    enableHttpPostMethods: true,
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      address: ['address'],
      phone: ['phone_number'],
    },
    features: { claimsParameter: { enabled: true }, backchannelLogout: { enabled: true } },
    // Without its guard against private addresses: the client that listens is on this machine.
    fetch: (
      url: string,
      { dispatcher: _guard, ...options }: RequestInit & { dispatcher?: unknown },
    ) => fetch(url, options),
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...CLAIMS }) }),
  })
  const server = createServer(provider.callback())
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return {
    subject: {
      issuer,
      user: { login: 'somebody', password: 'anything' },
      client: {
        client_id: 'first',
        client_secret: 'the-secret-of-the-first-client',
        redirect_uri: REDIRECT,
      },
      client2: { client_id: 'second', client_secret: null, redirect_uri: REDIRECT2 },
      postLogoutRedirectUri: LOGGED_OUT,
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
