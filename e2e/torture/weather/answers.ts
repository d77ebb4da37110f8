import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, ask, FORM, machineFields } from '../../support/ask'
import type { Portal } from '../../support/portal'
import type { Tally } from '../report'

const DOCUMENTS = ['/.well-known/openid-configuration', '/oidc/.well-known/jwks.json', '/healthz']

/** What verifiers and orchestrators need, whatever else is down. */
export function publicDocuments({ origin }: Portal): Promise<[path: string, status: number][]> {
  return Promise.all(
    DOCUMENTS.map(
      async (path): Promise<[string, number]> => [path, (await ask(origin, { path })).status],
    ),
  )
}

/** 503, with the time after which it is worth asking again. */
export function requireRefusal(tally: Tally, what: string, { status, headers }: Answer): void {
  tally.check(status === 503, `${what} answered ${status}`)
  tally.check(Number(headers['retry-after']) > 0, `${what} does not say when to ask again`)
}

export function introspectWith(portal: Portal, token: string): Promise<Answer> {
  const { client_id = '', client_secret = '' } = machineFields(portal)
  const body = new URLSearchParams({ client_id, client_secret, token }).toString()
  return ask(portal.origin, {
    method: 'POST',
    path: '/oidc/token/introspection',
    headers: FORM,
    body,
  })
}

const RECOVERY_MS = 15_000

/** Until it answers 200 again; null if that takes longer than 15 s. */
export async function secondsToRecover(again: () => Promise<Answer>): Promise<number | null> {
  const started = performance.now()
  while (performance.now() - started < RECOVERY_MS) {
    const answer = await again().catch(() => null)
    if (answer?.status === 200) return (performance.now() - started) / 1000
    await sleep(100)
  }
  return null
}
