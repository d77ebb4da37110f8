import { SignJWT } from 'jose'
import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import type { Fields } from '../../support/ask'
import { scopesInPerson } from './model-ceiling'
import type { Facts, Grant, Reach, Terms } from './model-facts'
import { covers, isNoWider } from './model-terms'
import { type CallMove, methodOf } from './moves'
import { NotThere } from './names'
import { effectiveScopes, looked, type UserToken, type Word } from './people-tokens'
import type { ClientInHand, EnteredPrincipals, SessionInHand } from './principals'
import { type OpenRequest as AskedAccess, approvedFor } from './requests'
import type { Stage } from './stage'
import { askForToken, bearer, type WireAnswer } from './wire'
import type { World } from './world'

/** What has come into an attacker's hands, and what it gets with it. */
export type Hands = {
  stage: Stage
  world: World
  person: string | null
  clients: ClientInHand[]
  sessions: SessionInHand[]
  userTokens: UserToken[]
  links: Link[]
  /** Applications whose tokens of people come to the attacker. */
  lures: Map<string, Lure>
  /** With these a client registers. */
  initialTokens: { name: string; text: string }[]
  /** That agents have asked for. */
  changes: AskedChange[]
  requests: AskedAccess[]
  reviews: StartedReview[]
  /** By person and application. */
  words: Map<string, Word>
  /** By caller, at the last look. */
  held: Map<string, ReadonlySet<string>>
  tokens: Map<string, { first: Token; latest: Token }>
}

type Token = { application: string; text: string; scopes: readonly string[] }
type Link = { name: string; user: string; url: string }

/** Where it leads, how the attacker proves to be it if not by a client in hand, and who signs in. */
export type Lure = { redirect: string; client: ClientInHand | null; by: 'owner' | 'me' }

export type StartedReview = {
  name: string
  id: string
  reviewers: readonly string[]
  /** Whose members review it, too. */
  group?: string
}

export type AskedChange = {
  name: string
  token: string
  tool: string
  given: Record<string, unknown>
  url: string
  answer: 'yes' | 'no' | null
}

export function handsOf(stage: Stage, world: World, entered: EnteredPrincipals): Hands {
  const { person, clients, sessions, lures = [], initialTokens = [] } = entered
  return {
    stage,
    world,
    person,
    clients,
    sessions,
    lures: new Map(lures),
    initialTokens,
    userTokens: [],
    links: [],
    changes: [],
    requests: [...world.asked],
    reviews: [...world.reviews],
    words: new Map(),
    held: new Map(),
    tokens: new Map(),
  }
}

// ---------------------------------------------------------------- what it gets

export async function lookAround(hands: Hands, now: Facts): Promise<Reach> {
  const { clients: all, sessions, userTokens, held } = hands
  const clients = await Promise.all(
    all.map(async (client) => ({
      application: client.application,
      scopes: await tokenOf(hands, client),
    })),
  )
  for (const { name, user } of sessions) {
    const known = now.people.find(({ id }) => id === user)
    held.set(name, new Set(known?.enabled ? scopesInPerson(known.adminRole) : []))
  }
  for (const token of userTokens) held.set(token.name, effectiveScopes(hands, token, now))
  const accounts = sessions.map(({ user }) => user)
  const proof = (client: ClientInHand) => proofOf(hands, client)
  const seen = await Promise.all(userTokens.map((token) => looked(hands, token, now, proof)))
  return {
    accounts,
    clients,
    userTokens: seen,
    ownItems: await ownItems(hands),
    approved: approvedFor(hands, hands.person),
  }
}

async function ownItems({ stage, person }: Hands): Promise<string[]> {
  if (person === null) return []
  const { json } = await stage.root('GET', `/users/${person}/effective-permissions`)
  return json?.data?.map(({ permission }: { permission: string }) => permission) ?? []
}

/** With everything asked for: what it gets is what it can do. */
async function tokenOf(hands: Hands, client: ClientInHand): Promise<string[]> {
  const { world, tokens, held } = hands
  const { application, name } = client
  const scope = [...PORTAL_SCOPE_NAMES, ...world.items.map(({ key }) => key)].join(' ')
  const { status, json } = await askPatiently(hands, client, scope)
  const scopes: string[] = status === 200 ? json.scope.split(' ') : []
  held.set(name, new Set(scopes))
  if (status !== 200) return scopes
  const latest = { application, scopes, text: json.access_token }
  tokens.set(name, { first: tokens.get(name)?.first ?? latest, latest })
  return scopes
}

const BUSY_MS = 500
const MAX_ASKS = 20
const FEW_ASKS = 3

/**
 * A portal that is busy has not said what one holds. One that says 429 for long has: a secret that
 * was wrong too often is no longer looked at.
 */
async function askPatiently(
  hands: Hands,
  client: ClientInHand,
  scope: string,
): Promise<WireAnswer> {
  for (let asks = 1; ; asks += 1) {
    const fields = { grant_type: 'client_credentials', scope, ...(await proofOf(hands, client)) }
    const answer = await askForToken(hands.stage.origin, fields)
    if (answer.status < 429 || (answer.status === 429 && asks === FEW_ASKS)) return answer
    if (asks === MAX_ASKS) throw new Error(`no token: ${answer.status} ${answer.body}`)
    await new Promise((go) => setTimeout(go, BUSY_MS))
  }
}

/**
 * What a caller holds before its call. Conditions are evaluated when a token is issued: one that was
 * issued before a condition came keeps the scope, as long as a grant of it stands.
 */
export async function heldBy(hands: Hands, { as, old }: CallMove): Promise<Set<string>> {
  // A token for /mcp, where changes are confirmed, is good for nothing else.
  if (hands.userTokens.some(({ name, at }) => name === as && at === 'mcp')) return new Set()
  const held = new Set(hands.held.get(as))
  const token = hands.tokens.get(as)?.[old ? 'first' : 'latest']
  const kept = token?.scopes.filter((scope) => !held.has(scope)) ?? []
  if (!token || kept.length === 0) return held
  const { json } = await hands.stage.root('GET', `/applications/${token.application}/grants`)
  const grants: readonly Grant[] = json?.grants ?? []
  return new Set([...held, ...kept.filter((scope) => grants.some((one) => allows(one, scope)))])
}

function allows({ pattern, ...terms }: Grant, scope: string): boolean {
  return covers(pattern, scope) && isNoWider(momentNow(), { ...terms, condition: null })
}

function momentNow(): Terms {
  const now = new Date().toISOString()
  return { effect: 'allow', condition: null, validFrom: now, validUntil: now }
}

/** What this one holds may have changed since. */
export async function lookAgain(hands: Hands, name: string): Promise<void> {
  const client = hands.clients.find((one) => one.name === name)
  if (client) await tokenOf(hands, client)
}

const BY_KEY = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A secret that it was shown, or a signature with its own key. */
export async function proofOf({ stage }: Hands, client: ClientInHand): Promise<Fields> {
  const { clientId, secret } = client
  if (secret !== null) return { client_id: clientId, client_secret: secret }
  const assertion = await new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'evil' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(stage.origin)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(stage.evil.key.private)
  return { client_id: clientId, client_assertion: assertion, client_assertion_type: BY_KEY }
}

export function headersOf(hands: Hands, name: string, old: boolean): Fields {
  const { stage, sessions, userTokens, tokens } = hands
  const session = sessions.find((one) => one.name === name)
  const own = { origin: stage.origin, 'x-gatehouse-request': '1' }
  if (session) return { cookie: session.cookie, ...own }
  const token = userTokens.find((one) => one.name === name)
  if (token) return bearer(token.text)
  const known = tokens.get(name)
  if (!known) throw new NotThere(name)
  return bearer((old ? known.first : known.latest).text)
}

/** Whose session or token it is. */
export function personNamed({ sessions, userTokens }: Hands, name: string) {
  const isNamed = (one: { name: string }) => one.name === name
  const session = sessions.find(isNamed)
  const found = session ?? userTokens.find(isNamed)
  if (!found) throw new NotThere(name)
  return { user: found.user, isToken: session === undefined }
}

// ---------------------------------------------------------------- what it learns

export function learn(hands: Hands, move: CallMove, { json }: WireAnswer, body: unknown): void {
  const method = methodOf(move.route)
  if (!json || method === 'GET') return
  if (method === 'POST') learnNames(hands, move, json)
  learnCredentials(hands, move, json, (body ?? {}) as OpenRequest)
  if (move.route === 'createInitialToken') {
    hands.initialTokens.push({ name: `#${move.serial}`, text: json.token })
  }
  if (!json.link) return
  const user = hands.world.names.fill(/<users\/[^>]+>/.exec(move.path)?.[0] ?? '')
  hands.links.push({ name: `#${move.serial}`, user, url: json.link })
}

/** The application that a path is about. */
function subjectOf({ path }: CallMove): string | undefined {
  return /<(applications\/[^>]+)>/.exec(path)?.[1]
}

/** `/applications/<applications/own>/keys` is about keys. */
function kindOf({ path }: CallMove): string {
  const [plain = ''] = path.replaceAll(/<[^>]*>/g, '').split('?')
  const last = plain.split('/').findLast((part) => /^[a-z-]+$/.test(part)) ?? ''
  return last === 'rotation' ? 'secrets' : last
}

function learnNames({ world }: Hands, move: CallMove, json: WireAnswer['json']): void {
  const kind = kindOf(move)
  const id = json.accessKey ?? json.id
  if (typeof id !== 'string' || !json.createdAt) return
  const label = `#${move.serial}`
  world.names.set(kind, label, id)
  if (kind === 'permissions') world.names.set('items', label, json.key)
  const parent = subjectOf(move)
  if (parent) world.parents.set(`${kind}/${label}`, parent)
}

type OpenRequest = { jwks?: unknown; redirectUris?: string[] }

function learnCredentials(
  hands: Hands,
  move: CallMove,
  json: WireAnswer['json'],
  asked: OpenRequest,
): void {
  if (!/applications|keys|secrets/.test(kindOf(move))) return
  const { world, clients, lures, stage } = hands
  const name = `#${move.serial}`
  const parent = subjectOf(move)
  const application = parent ? world.names.get(parent) : json.id
  const secret = json.secretKey ?? json.secret
  const clientId = json.accessKey ?? application
  if (secret) clients.push({ name, clientId, application, secret })
  if (asked.jwks) clients.push({ name, clientId: application, application, secret: null })
  const leads = asked.redirectUris?.some((uri) => uri.startsWith(stage.evil.server))
  if (!leads) return
  lures.set(`<${parent ?? `applications/${name}`}>`, {
    redirect: '<evil/callback>',
    client: null,
    by: 'owner',
  })
}
