import { expandScopes } from '../../access/expand'
import type { Exchange, Policy } from '../../access/policy'
import { apiNamed } from '../../access/resource'
import type { Incoming } from '../../base/http'
import type { Client } from '../client'
import { clientIn } from '../client-auth'
import { userContext } from '../context'
import { OAuthError } from '../errors'
import {
  type Ancestor,
  ancestorsOf,
  carriedBy,
  chainOf,
  refusedByUser,
  scopesIn,
} from '../exchanged'
import { issueAccessToken } from '../issue'
import { isActive, liveGrant } from '../live'
import { keptOutBy } from '../missing'
import type { Form } from '../params'
import { askedResources, askedScopes } from '../parse-authorization-request'
import type { Provider, Snapshot } from '../provider'
import type { ReasonOf } from '../refusal-reasons'
import {
  admissionOf,
  askedBy,
  type DecidedScopes,
  keptRefusal,
  rejectedMembers,
  settleScopes,
} from '../scopes'
import { stillGranted } from '../still-granted'
import type { TokenGrant } from '../stores'
import { MAX_TOKEN_LENGTH, type VerifiedClaims, verifyAccessToken } from '../verify'
import { tokenIssued } from './issued'
import type { TokenResponse } from './token-response'
import { accessTokenExtras } from './user-tokens'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'
/** How many services can follow one another. */
export const MAX_EXCHANGES = 5

/** The token of a user that came to a service, and what is left of it now. */
type Subject = {
  claims: VerifiedClaims
  grant: TokenGrant
  scopes: readonly string[]
  /** Applications that it went through, the newest first. */
  applications: readonly string[]
  registration: string
}

/**
 * RFC 8693: a service that was called with a user's token gets one for the API that it calls in
 * turn. Nothing gets wider by it: the user, the sign-in and the end stay those of the subject token,
 * and the scopes are decided again, by grants that are made for it.
 */
export async function tokenExchange(
  op: Provider,
  authenticated: Client,
  form: Form,
  incoming: Incoming,
): Promise<TokenResponse> {
  if (!authenticated.confidential) {
    throw new OAuthError(
      'unauthorized_client',
      'a public client cannot use this grant type',
      'confidential_only',
    )
  }
  requireAccessTokens(form)
  const subject = await requireSubject(op, authenticated, form)
  requireNewLink(authenticated, subject)
  const impersonates = await isImpersonation(op, authenticated, form)
  const { userId } = subject.grant
  const clients = [authenticated.id, ...chainOf(subject.claims)]
  const snapshot = await op.snapshot({ clients, users: [userId] })
  const client = clientIn(op, snapshot, authenticated)
  // RFC 8693 §2.1 has both parameters.
  const audiences = await askedResources(op, { audienceParameter: true }, form)
  const asked = { scopes: askedScopes(client.application, form), audiences }
  const settled = await settle(op, snapshot, client, incoming, subject, asked)
  const exchange = { client, subject, settled, audiences, impersonates, tokenId: op.newTokenId() }
  const issued = await issue(op, snapshot, exchange)
  op.meter.tokenIssued(TOKEN_EXCHANGE)
  op.record(recordOf(incoming, exchange))
  return {
    access_token: issued.token,
    issued_token_type: ACCESS_TOKEN_TYPE,
    token_type: 'Bearer',
    expires_in: issued.expiresIn,
    scope: settled.granted.join(' '),
    ...rejectedMembers(op, client, settled, exchange.tokenId),
  }
}

// ---------------------------------------------------------------- the request

function requireAccessTokens(form: Form): void {
  const wanted = form.get('requested_token_type') ?? ACCESS_TOKEN_TYPE
  if (wanted !== ACCESS_TOKEN_TYPE) {
    throw invalid('requested_token_type must be an access token', 'requested_token_type')
  }
  if (form.get('subject_token') === undefined) {
    throw invalid('subject_token is missing', 'subject_token_missing')
  }
  if (form.get('subject_token_type') !== ACCESS_TOKEN_TYPE) {
    throw invalid(`subject_token_type must be ${ACCESS_TOKEN_TYPE}`, 'subject_token_type')
  }
  const actor = form.get('actor_token') !== undefined
  const actorType = form.get('actor_token_type')
  // RFC 8693 §2.1: the type comes with the token, and never alone.
  if (actor ? actorType !== ACCESS_TOKEN_TYPE : actorType !== undefined) {
    const description = `actor_token_type must be ${ACCESS_TOKEN_TYPE}, with an actor_token`
    throw invalid(description, 'actor_token_type')
  }
}

/**
 * A live token of a user that was addressed to an API of this service: the check of introspection.
 * Every other token gets the same answer.
 */
async function requireSubject(op: Provider, client: Client, form: Form): Promise<Subject> {
  const claims = await verifyAccessToken(op, form.get('subject_token') ?? '')
  if (!claims) throw invalidSubject('subject_token')
  const { credentials, policy } = await op.snapshot({ clients: chainOf(claims) })
  const apis = [claims.aud].flat().map((audience) => apiNamed(policy, String(audience))?.api)
  const serves = apis.some(
    (api) => api?.enabled && api.introspectors.includes(client.application.id),
  )
  if (!serves) throw invalidSubject('subject_audience')
  const grant = await liveGrant(op, claims)
  const isServed = (scope: string) => {
    const api = policy.items.get(scope)?.api
    return api?.enabled === true && api.introspectors.includes(client.application.id)
  }
  // Only what was addressed to this service counts, and it ends with that.
  const scopes = grant ? (await stillGranted(op, claims)).filter(isServed) : []
  if (!grant || scopes.length === 0) throw invalidSubject('subject_token')
  const applications = chainOf(claims).map((id) => credentials.get(id)?.application)
  return {
    claims,
    grant,
    scopes,
    applications: applications.map((application) => application?.id ?? ''),
    registration: applications.at(-1)?.registration ?? '',
  }
}

/** An application stands in a chain once, and a chain ends somewhere. */
function requireNewLink({ application }: Client, { claims, applications }: Subject): void {
  if (applications.includes(application.id)) {
    throw invalid('the token came from this application already', 'exchange_cycle')
  }
  if (ancestorsOf(claims).length >= MAX_EXCHANGES) {
    throw invalid(`a token can be exchanged ${MAX_EXCHANGES} times in a row`, 'exchange_depth')
  }
}

/**
 * RFC 8693 §1.1: without an actor token, an application that an admin allows to impersonate gets a
 * token that does not name it as an actor. All others are named, whether they send one or not.
 */
async function isImpersonation(op: Provider, client: Client, form: Form): Promise<boolean> {
  const token = form.get('actor_token')
  if (token === undefined) return client.application.mayImpersonate
  const claims = await verifyAccessToken(op, token)
  const clientId = String(claims?.client_id)
  const { credentials } = await op.snapshot({ clients: [clientId] })
  const isOwn = credentials.get(clientId)?.application.id === client.application.id
  // The service itself, not one of its users.
  if (!claims || !isOwn || claims.grant_id !== undefined || !(await isActive(op, claims))) {
    throw invalid('actor_token is not a valid token of this application', 'actor_token')
  }
  return false
}

// ---------------------------------------------------------------- the decision

async function settle(
  op: Provider,
  { policy }: Snapshot,
  client: Client,
  incoming: Incoming,
  subject: Subject,
  asked: { scopes: string[]; audiences: readonly string[] },
): Promise<DecidedScopes> {
  const { grant, applications } = subject
  const { userId } = grant
  const from = applications[0] ?? ''
  const both = [client.application.id, grant.applicationId]
  const context = userContext(op, incoming, client, { user: { id: userId }, ...grant }, policy)
  const request = { ...context.request, grant_type: TOKEN_EXCHANGE, exchange: exchangeOf(subject) }
  const question = {
    ...asked,
    userId,
    exchangeFrom: from,
    carried: carriedBy(subject.claims),
    withheld: await refusedByUser(op, userId, both),
    context: { ...context, request },
    ...askedBy(client),
  }
  const admission = await admissionOf(policy, client.application, question)
  if (!admission) {
    const { requiredScopes } = client.application
    const required = requiredScopes.filter((scope) => question.withheld.has(scope))
    const scopes = expandScopes(policy, question.scopes)
    const { lacked } = await keptOutBy(policy, client.application, question)
    throw new OAuthError(
      'access_denied',
      'the user may not use this application',
      'user_not_admitted',
      {
        facts: { required_scopes: lacked },
        ...keptRefusal(op, { ...question, scopes }, required),
      },
    )
  }
  if (await op.consents.isPaused(userId, client.application.id)) {
    throw new OAuthError('access_denied', 'the user paused this application', 'paused')
  }
  return settleScopes(op, policy, client, question, admission)
}

function exchangeOf({ claims, scopes, applications, registration }: Subject): Exchange {
  return {
    from: applications[0] ?? '',
    first: applications.at(-1) ?? '',
    depth: ancestorsOf(claims).length + 1,
    scope: scopes,
    audience: [claims.aud].flat().map(String),
    registration,
  }
}

// ---------------------------------------------------------------- the token

type Exchanged = {
  client: Client
  subject: Subject
  settled: DecidedScopes
  audiences: readonly string[]
  impersonates: boolean
  tokenId: string
}

async function issue(op: Provider, { policy }: Snapshot, exchanged: Exchanged) {
  const { client, subject, settled, audiences, tokenId } = exchanged
  const issued = await issueAccessToken(op, {
    client,
    policy,
    subject: subject.grant.userId,
    audiences,
    tokenId,
    scopes: settled.granted,
    until: settled.until,
    claims: {
      ...accessTokenExtras(client.application, subject.grant, null),
      ...lineOf(policy, exchanged),
    },
    notAfter: Number(subject.claims.exp),
  })
  if (issued.token.length <= MAX_TOKEN_LENGTH) return issued
  const description = 'the token would be too long: ask for fewer scopes'
  throw new OAuthError('invalid_scope', description, 'token_too_long')
}

/** Where the token comes from: for readers `act` (RFC 8693 §4.1), for the portal the IDs. */
function lineOf({ items }: Policy, { client, subject, impersonates }: Exchanged) {
  const { claims, scopes } = subject
  const others = scopesIn(claims.scope).filter((one) => items.has(one) && !scopes.includes(one))
  const parent: Ancestor = {
    jti: String(claims.jti),
    client_id: String(claims.client_id),
    scope: scopes.join(' '),
    ...(others.length > 0 && { beside: others.join(' ') }),
  }
  const exchanged = [parent, ...ancestorsOf(claims)]
  return { exchanged, ...(!impersonates && { act: actorsOf([client.id, ...chainOf(claims)]) }) }
}

type Actor = { sub: string; act?: Actor }

/** The newest is the outermost. */
function actorsOf([newest = '', ...earlier]: readonly string[]): Actor {
  return { sub: newest, ...(earlier.length > 0 && { act: actorsOf(earlier) }) }
}

function recordOf(incoming: Incoming, { client, subject, ...exchanged }: Exchanged) {
  const { settled, tokenId, impersonates } = exchanged
  const { claims, grant, applications } = subject
  return tokenIssued(client, incoming, {
    grantType: TOKEN_EXCHANGE,
    userId: grant.userId,
    tokenId,
    settled,
    exchange: {
      // The decision that the subject token came from: with it, a request is followed upwards.
      subject_token: String(claims.jti),
      from: applications[0] ?? '',
      first: applications.at(-1) ?? '',
      chain: [client.id, ...chainOf(claims)],
      impersonation: impersonates,
    },
  })
}

/** RFC 8693 §2.2.2: a token that is not acceptable is an invalid request. */
function invalid(description: string, reason: ReasonOf<'invalid_request'>): OAuthError {
  return new OAuthError('invalid_request', description, reason)
}

function invalidSubject(reason: 'subject_token' | 'subject_audience'): OAuthError {
  return invalid('subject_token is not a valid token of a user for an API of this client', reason)
}
