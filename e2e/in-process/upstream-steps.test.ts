import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginOAuth, finishOAuth } from '../../lib/browser/oauth-steps'
import { type OpenPortal, openPortal } from '../support/in-process'
import { STAND_IN_SECRET, type StandIn, startStandIn } from '../support/stand-in'

/** A sign-in at a provider, from the way out to the way back. */

let portal: OpenPortal
let standIn: StandIn

beforeAll(async () => {
  standIn = await startStandIn()
  const provider = { id: 'acme', kind: 'oidc', name: 'Acme', issuer: standIn.origin }
  const client = { clientId: 'portal', clientSecret: 'env:ACME_SECRET' }
  portal = await openPortal({
    env: {
      OUTBOUND_HOSTS: standIn.host,
      UPSTREAM_PROVIDERS: JSON.stringify([{ ...provider, ...client }]),
      ACME_SECRET: STAND_IN_SECRET,
    },
  })
})

afterAll(async () => {
  await portal.stop()
  standIn.stop()
})

async function signedIn(idToken: Record<string, unknown>): Promise<string | null> {
  standIn.script = { person: { sub: 'ada', name: 'Ada' }, idToken }
  const [provider] = portal.op.config.upstreamProviders
  const begun = provider && (await beginOAuth(portal.op, provider, {}))
  if (!begun) throw new Error('the provider cannot be used')
  const { headers } = await fetch(begun.url, { redirect: 'manual' })
  const query = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
  const person = await finishOAuth(portal.op, provider, query, begun.cookies)
  return person?.subject ?? null
}

test.each<[string, number, string | null]>([
  ['of now', 0, 'ada'],
  ['of a provider whose clock is ahead by less than a minute', 50, 'ada'],
  ['of the future', 120, null],
  ['of next year', 365 * 86_400, null],
])('M32: an id_token %s', async (_what, ahead, expected) => {
  const iat = Math.floor(Date.now() / 1000) + ahead
  expect(await signedIn({ iat, exp: iat + 300 })).toBe(expected)
})
