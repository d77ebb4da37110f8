import { cookies } from 'next/headers'
import { z } from 'zod'
import { cookieOptions, isSecure } from '../accounts/session-cookie'
import type { Op } from '../context/op'
import { SealError, seal, unseal } from '../crypto/seal'
import { newId } from '../crypto/secrets'
import {
  ID_TOKEN_ALGORITHMS,
  identityOf,
  PROVIDER_KINDS,
  type UpstreamProvider,
} from '../settings/providers'
import type { Demand } from '../upstream/freshness'
import { beginOAuth, type Cookies, STEPS_SECONDS, stepCookieNames } from './oauth-steps'

/** One request to a provider and back. Its purpose travels encrypted in a cookie of the browser. */

const MAX_RETURN_LENGTH = 1_000 // a cookie holds 4 KiB
const SPENT_AS = 'upstream'

const upstreamRequest = z.object({
  id: z.string(),
  /** Identifies the provider: another one that replaces it under the same ID is not accepted. */
  provider: z.object({
    id: z.string(),
    kind: z.enum(PROVIDER_KINDS),
    issuer: z.string(),
    clientId: z.string(),
    idTokenAlgorithm: z.enum(ID_TOKEN_ALGORITHMS).nullable(),
  }),
  url: z.string(),
  intent: z.enum(['sign-in', 'link', 'confirm']),
  returnTo: z.string(),
  /** The session that asked, for changes of an account that is signed in. */
  sessionId: z.string().nullable(),
  /** The time since when the user must have proved who they are; null for any time. */
  notBefore: z.coerce.date().nullable(),
  startedAt: z.coerce.date(),
})

export type UpstreamRequest = z.infer<typeof upstreamRequest>
export type UpstreamIntent = Pick<UpstreamRequest, 'intent' | 'returnTo' | 'sessionId'> & {
  demand: Demand | null
}

/**
 * Returns the address at the provider; null if it cannot be used. Only where cookies can be set.
 */
export async function startUpstreamRequest(
  op: Op,
  provider: UpstreamProvider,
  { demand, ...trip }: UpstreamIntent,
): Promise<string | null> {
  const begun = await beginOAuth(op, provider, demand?.wishes ?? {})
  if (!begun) return null
  const returnTo = trip.returnTo.length > MAX_RETURN_LENGTH ? '/' : trip.returnTo
  const facts: UpstreamRequest = {
    ...trip,
    returnTo,
    id: newId('jny'),
    provider: identityOf(provider),
    url: begun.url,
    notBefore: demand?.notBefore ?? null,
    startedAt: op.now(),
  }
  const sealed = seal(op.upstreamKey, SPENT_AS, JSON.stringify(facts))
  await keep(op, { ...begun.cookies, [cookieName(op)]: sealed })
  return begun.url
}

/** The request that this browser has begun. */
export async function currentUpstreamRequest(op: Op): Promise<UpstreamRequest | null> {
  const sealed = (await cookies()).get(cookieName(op))?.value
  const found = sealed === undefined ? null : open(op, sealed)
  return found && expiryOf(found) > op.now() ? found : null
}

/**
 * Ends the request for the browser and in the database: null if it has ended, was used, or belongs
 * to another provider.
 */
export async function takeUpstreamRequest(
  op: Op,
  provider: UpstreamProvider,
): Promise<{ upstreamRequest: UpstreamRequest; cookies: Cookies } | null> {
  const current = await currentUpstreamRequest(op)
  const jar = await cookies()
  const carried = stepCookieNames(op).map((name) => [name, jar.get(name)?.value])
  for (const name of [...stepCookieNames(op), cookieName(op)]) {
    jar.set(name, '', { ...cookieOptions(op), maxAge: 0 })
  }
  if (current?.provider.id !== provider.id) return null
  if (!(await op.assertions.consume(SPENT_AS, current.id, expiryOf(current)))) return null
  return {
    upstreamRequest: current,
    cookies: Object.fromEntries(carried.filter(([, value]) => value)),
  }
}

async function keep(op: Op, values: Cookies): Promise<void> {
  const jar = await cookies()
  for (const [name, value] of Object.entries(values)) {
    jar.set(name, value, { ...cookieOptions(op), maxAge: STEPS_SECONDS })
  }
}

/** A modified or malformed cookie is ignored and never an error (attack M11). */
function open(op: Op, sealed: string): UpstreamRequest | null {
  try {
    return (
      upstreamRequest.safeParse(JSON.parse(unseal(op.upstreamKey, SPENT_AS, sealed))).data ?? null
    )
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

function expiryOf({ startedAt }: UpstreamRequest): Date {
  return new Date(startedAt.getTime() + STEPS_SECONDS * 1000)
}

function cookieName(op: Op): string {
  return `${isSecure(op.origin) ? '__Host-' : ''}gatehouse.upstream`
}
