import { ACR_VALUES } from '../access/acr'
import { apiNamed } from '../access/resource'
import { type AuthorizationRequest, PROMPTS, type Prompt } from './authorization-request'
import type { Application } from './client'
import { OAuthError } from './errors'
import { type Form, hasNul, limitedTo, parseScope } from './params'
import { readChallenge } from './pkce'
import type { Provider } from './provider'
import { shown } from './refusal'
import type { ReasonOf } from './refusal-reasons'
import { type RequestedClaims, readClaims, requestedSubject } from './requested-claims'
import type { Target } from './target'
import { readIdTokenHint } from './verify'

const MAX_NONCE_LENGTH = 1024
const MAX_HINT_LENGTH = 254

export async function parseAuthorizationRequest(
  op: Provider,
  target: Target,
  form: Form,
): Promise<AuthorizationRequest> {
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
    nonce: limitedTo(MAX_NONCE_LENGTH, form.get('nonce')),
    challenge: readChallenge(target.credential.application, op.pkceRules(), form),
    prompt: readPrompt(form),
    maxAge: readMaxAge(form) ?? target.credential.application.defaultMaxAge,
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
  const description = 'this parameter is not supported'
  if (form.get('request') !== undefined) {
    throw new OAuthError('request_not_supported', description, 'request_object')
  }
  if (form.get('request_uri') !== undefined) {
    throw new OAuthError('request_uri_not_supported', description, 'request_uri')
  }
  if (form.get('registration') !== undefined) {
    throw new OAuthError('registration_not_supported', description, 'registration_parameter')
  }
}

function requireCodeFlow({ grantTypes }: Application, form: Form): void {
  const responseType = form.get('response_type')
  if (responseType === undefined) throw invalid('response_type is missing', 'response_type_missing')
  if (responseType !== 'code') {
    throw new OAuthError(
      'unsupported_response_type',
      'only response_type code is supported',
      'response_type',
      { facts: { given: shown(responseType) } },
    )
  }
  if (!grantTypes.includes('authorization_code')) {
    throw new OAuthError(
      'unauthorized_client',
      'the application may not use this flow',
      'grant_type_not_allowed',
    )
  }
}

/** RFC 6749 §3.3: without a scope parameter, the default of the application. */
export function askedScopes({ defaultScopes }: Application, form: Form): string[] {
  const asked = parseScope(form.get('scope')) ?? [...defaultScopes]
  if (asked.length > 0) return asked
  throw new OAuthError(
    'invalid_scope',
    'scope is missing and the application has no default scope',
    'scope_missing',
  )
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
    if (!found?.api.enabled) {
      throw invalidTarget('the resource is not registered here', 'resource_unknown')
    }
    const { id } = found.api
    if ((named.get(id) ?? found.audience) !== found.audience) {
      throw invalidTarget('name one address of an API, not several', 'resource_ambiguous')
    }
    named.set(id, found.audience)
  }
  return [...named.values()]
}

function invalidTarget(description: string, reason: ReasonOf<'invalid_target'>): OAuthError {
  return new OAuthError('invalid_target', description, reason)
}

/** Two names for the user who has to sign in must be the same. */
function sameUser(hinted: string | null, requested: string | null): string | null {
  if (hinted !== null && requested !== null && hinted !== requested) {
    throw invalid('id_token_hint and claims name different users', 'hints_differ')
  }
  return hinted ?? requested
}

function readPrompt(form: Form): Prompt[] {
  const words = (form.get('prompt') ?? '').split(' ').filter((word) => word !== '')
  const prompt = words.map((word) => PROMPTS.find((known) => known === word))
  if (!prompt.every((word) => word !== undefined))
    throw invalid('prompt has an unknown value', 'prompt')
  if (prompt.includes('none') && prompt.length > 1)
    throw invalid('prompt=none cannot be combined with other values', 'prompt')
  return prompt
}

function readMaxAge(form: Form): number | null {
  const text = form.get('max_age')
  if (text === undefined) return null
  if (!/^\d{1,9}$/.test(text)) throw invalid('max_age must be a number of seconds', 'max_age')
  return Number(text)
}

/** A hint is optional: one that cannot be used is ignored. */
function shortHint(hint: string | undefined): string | null {
  return hint !== undefined && hint.length <= MAX_HINT_LENGTH && !hasNul(hint) ? hint : null
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

function invalid(description: string, reason: ReasonOf<'invalid_request'>): OAuthError {
  return new OAuthError('invalid_request', description, reason)
}
