import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** An admin of the portal rotates its signing key, through its API. */

type Machine = { client_id: string; client_secret: string }

/** Every process reads the keys again within a second. */
const SEEN_MS = 1_500

export function rotation(issuer: string, machine: Machine): (alg: string) => Promise<void> {
  return async (alg) => {
    const token = await tokenFor(issuer, machine)
    const call = (path: string, body: object) =>
      fetch(`${new URL(issuer).origin}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const staged = await call('/signing-keys', { alg })
    // Another may be published already.
    assert.ok([201, 409].includes(staged.status), await staged.text())
    await sleep(SEEN_MS)
    const rotated = await call('/signing-keys:rotate', { alg, atOnce: true })
    assert.equal(rotated.status, 200, await rotated.text())
    await sleep(SEEN_MS)
  }
}

async function tokenFor(issuer: string, machine: Machine): Promise<string> {
  const response = await fetch(`${issuer}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'signing-keys:write',
      client_id: machine.client_id,
      client_secret: machine.client_secret,
    }),
  })
  const { access_token } = await response.json()
  assert.ok(access_token, 'no token for the signing keys')
  return access_token
}
