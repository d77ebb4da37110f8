import { z } from 'zod'
import { ACR_VALUES } from '../access/acr'
import { apiNamed } from '../access/resource'
import type { Application } from './client'
import { OAuthError } from './errors'
import { type Form, hasNul, limitedTo, parseScope } from './params'
import { readChallenge } from './pkce'
import type { Provider } from './provider'
import {
  NO_CLAIMS,
  type RequestedClaims,
  readClaims,
  requestedSubject,
  storedClaims,
} from './requested-claims'
import type { Target } from './target'
import { readIdTokenHint } from './verify'

/**
 * An authorization request below the trust line: the application and the redirect URI are known, so
 * every error from here on goes to the application. A request is stored in this form while its user
 * signs in and consents.
 */

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const
export type Prompt = (typeof PROMPTS)[number]

const LONGEST_NONCE = 1024
const LONGEST_HINT = 254
export const askSchema = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  responseMode: z.enum(['query', 'form_post']),
  state: z.string().nullable(),
  scopes: z.array(z.string()),
  resources: z.array(z.string()),
  nonce: z.string().nullable(),
  challenge: z.string().nullable(),
  prompt: z.array(z.enum(PROMPTS)),
  maxAge: z.number().nullable(),
  loginHint: z.string().nullable(),
  /** The `sub` of a valid id_token_hint. */
  hintedUserId: z.string().nullable(),
  uiLocales: z.string().nullable(),
  /** Claims asked for by name, beyond what scopes give (OpenID Connect Core §5.5). */
  claims: storedClaims.default(NO_CLAIMS),
  /** The same for processes of an earlier version. */
  userinfoClaims: z.array(z.string()),
  /** Preferred `acr` values, in order. A user who cannot meet them is not asked to. */
  acrValues: z.array(z.string()).default([]),
  /** `acr` values requested as essential: only these are accepted. */
  essentialAcr: z.array(z.string()).nullable(),
  /** Of a device that waits elsewhere (RFC 8628); it is told no answer at a redirect URI. */
  device: z.object({ id: z.string(), confirmedAt: z.number().nullable() }).nullable().default(null),
  askedAt: z.number(),
})

export type Ask = z.infer<typeof askSchema>

export async function parseAsk(op: Provider, target: Target, form: Form): Promise<Ask> {
  refuseUnsupported(form)
  requireCodeFlow(target.credential.application, form)
  const claims = readClaims(form.get('claims'))
  return {
    clientId: target.credential.clientId,
    redirectUri: target.redirectUri,
    responseMode: target.responseMode,
    state: target.state,
    scopes: askedScopes(target.credential.application, form),
    resources: await askedResources(op, target.credential.application, form),
    nonce: limitedTo(LONGEST_NONCE, form.get('nonce')),
    challenge: readChallenge(target.credential, form),
    prompt: readPrompt(form),
    maxAge: readMaxAge(form),
    loginHint: shortHint(form.get('login_hint')),
    hintedUserId: sameUser(
      await readIdTokenHint(op, target.credential.application.id, form),
      requestedSubject(claims),
    ),
    uiLocales: shortHint(form.get('ui_locales')),
    claims,
    userinfoClaims: Object.keys(claims.userinfo),
    acrValues: readAcrValues(form),
    essentialAcr: essentialAcr(claims),
    device: null,
    askedAt: op.now().getTime(),
  }
}

/** Never silently ignored, never fetched (OpenID Connect Core §3.1.2.6). */
function refuseUnsupported(form: Form): void {
  const unsupported = {
    request: 'request_not_supported',
    request_uri: 'request_uri_not_supported',
    registration: 'registration_not_supported',
  } as const
  for (const [name, word] of Object.entries(unsupported)) {
    if (form.get(name) !== undefined) throw new OAuthError(word, 'this parameter is not supported')
  }
}

function requireCodeFlow({ grantTypes }: Application, form: Form): void {
  const responseType = form.get('response_type')
  if (responseType === undefined) throw invalid('response_type is missing')
  if (responseType !== 'code') {
    throw new OAuthError('unsupported_response_type', 'only response_type code is supported')
  }
  if (!grantTypes.includes('authorization_code')) {
    throw new OAuthError('unauthorized_client', 'the application may not use this flow')
  }
}

/** RFC 6749 §3.3: without a scope parameter, the default of the application. */
export function askedScopes({ defaultScopes }: Application, form: Form): string[] {
  const asked = parseScope(form.get('scope')) ?? [...defaultScopes]
  if (asked.length > 0) return asked
  throw new OAuthError('invalid_scope', 'scope is missing and the application has no default scope')
}

/**
 * RFC 8707 §2: the audiences that the request names. Some clients send `audience` instead; an
 * application can be set to it. A token is for one address of an API, so that a condition on the
 * audience has one answer.
 */
export async function askedResources(
  op: Provider,
  { audienceParameter }: Pick<Application, 'audienceParameter'>,
  form: Form,
): Promise<string[]> {
  const { policy } = await op.snapshot()
  const more = audienceParameter ? form.getAll('audience') : []
  const named = new Map<string, string>()
  for (const resource of [...form.getAll('resource'), ...more]) {
    const found = apiNamed(policy, resource)
    if (!found?.api.enabled) throw invalidTarget('the resource is not registered here')
    const { id } = found.api
    if ((named.get(id) ?? found.audience) !== found.audience) {
      throw invalidTarget('name one address of an API, not several')
    }
    named.set(id, found.audience)
  }
  return [...named.values()]
}

function invalidTarget(description: string): OAuthError {
  return new OAuthError('invalid_target', description)
}

/** Two names for the user who has to sign in must be the same. */
function sameUser(hinted: string | null, requested: string | null): string | null {
  if (hinted !== null && requested !== null && hinted !== requested) {
    throw invalid('id_token_hint and claims name different users')
  }
  return hinted ?? requested
}

function readPrompt(form: Form): Prompt[] {
  const words = (form.get('prompt') ?? '').split(' ').filter((word) => word !== '')
  const prompt = words.map((word) => PROMPTS.find((known) => known === word))
  if (!prompt.every((word) => word !== undefined)) throw invalid('prompt has an unknown value')
  if (prompt.includes('none') && prompt.length > 1)
    throw invalid('prompt=none cannot be combined with other values')
  return prompt
}

function readMaxAge(form: Form): number | null {
  const text = form.get('max_age')
  if (text === undefined) return null
  if (!/^\d{1,9}$/.test(text)) throw invalid('max_age must be a number of seconds')
  return Number(text)
}

/** A hint is optional: one that cannot be used is ignored. */
function shortHint(hint: string | undefined): string | null {
  return hint !== undefined && hint.length <= LONGEST_HINT && !hasNul(hint) ? hint : null
}

/** Unknown values are ignored (OpenID Connect Core §3.1.2.1). */
export function readAcrValues(form: Form): string[] {
  const words = new Set((form.get('acr_values') ?? '').split(' '))
  return ACR_VALUES.filter((acr) => words.has(acr))
}

function essentialAcr({ id_token }: RequestedClaims): string[] | null {
  const { acr } = id_token
  if (!acr?.essential) return null
  const values = [acr.value, ...(acr.values ?? [])].filter((value) => typeof value === 'string')
  return values.length > 0 ? values : null
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_request', description)
}
