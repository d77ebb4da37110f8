import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import { tools } from '../../../lib/api/mcp/tools'
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE } from '../../../lib/oidc/grants/token-exchange'
import { authorizeUrl, pkcePair } from '../../support/flow'
import type { OldBrowser, Page } from '../../support/old-browser'
import { type AskedChange, type Hands, proofOf } from './hands'
import { beyondHeld } from './model'
import { beyondConfirmed, beyondExchange } from './model-agents'
import type { Violation } from './model-facts'
import type { Asks, Move, SaidWord } from './moves'
import { NotThere } from './names'
import { browserOf, saidAbout, tokenNamed, type UserToken, wordAbout } from './people-tokens'
import type { ClientInHand } from './principals'
import { refused, type Step } from './steps'
import { askForToken, bearer, callTool, registerClient, type WireAnswer } from './wire'

/** What an attacker does as an agent: it gets tokens of people, passes them on and acts for them. */

type MoveOf<Do extends Move['do']> = Extract<Move, { do: Do }>

function allScopes({ world }: Hands): string[] {
  return [...PORTAL_SCOPE_NAMES, ...world.items.map(({ key }) => key)]
}

// ---------------------------------------------------------------- tokens of people

/** Somebody follows a link to an application, and what it asks for comes to the attacker. */
export async function lure(hands: Hands, move: MoveOf<'lure'>): Promise<Step> {
  const { stage, world, clients } = hands
  const found = hands.lures.get(move.application)
  if (!found) throw new NotThere(move.application)
  const application = world.names.fill(move.application)
  const user = found.by === 'me' ? (hands.person ?? '') : world.names.get('users/owner')
  const redirect_uri = world.names.fill(found.redirect)
  const { verifier, challenge } = pkcePair()
  const { page, wasAsked } = await agreed(hands, browserOf(hands, user), {
    client_id: application,
    redirect_uri,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(move.mcp && { resource: `${stage.origin}/mcp` }),
  })
  const code = new URL(page.url).searchParams.get('code')
  if (code === null) return refused(`no code: ${page.status}`)
  const client = clients.find(({ name }) => name === move.client) ?? found.client
  const proof = client ? await proofOf(hands, client) : { client_id: application }
  const grant = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
  const { status, json } = await askForToken(stage.origin, { ...grant, ...proof })
  const word = wordAbout(hands, user, application)
  const wasPaused = word.paused && !wasAsked
  if (wasAsked) Object.assign(word, { paused: false, refused: new Set() })
  if (status !== 200) return refused(`no token: ${json?.error}`)
  const scopes = withColon(json.scope)
  const token = { name: `#${move.serial}`, application, client, user, scopes }
  const text: string = json.access_token
  const at = move.mcp ? 'mcp' : 'api'
  hands.userTokens.push({ ...token, text, at, parent: null, ended: false })
  const what = `${application} gets a token although it is paused`
  const violations = wasPaused ? [{ clause: '12 the person said no', what }] : []
  return { outcome: `a token of ${found.by}: ${scopes.join(' ')}`, done: true, violations }
}

const withColon = (scope: string) => scope.split(' ').filter((one) => one.includes(':'))

async function agreed(
  hands: Hands,
  browser: OldBrowser,
  asked: Record<string, string>,
): Promise<{ page: Page; wasAsked: boolean }> {
  const scopes = allScopes(hands)
  const scope = ['openid', ...scopes].join(' ')
  const page = await browser.open(authorizeUrl({ ...asked, scope }))
  if (!page.url.includes('/consent')) return { page, wasAsked: false }
  return { page: await browser.submit(page, { scope: scopes }), wasAsked: true }
}

const NEVER_EXCHANGED = ['openid', 'email', 'offline_access']

export async function exchange(hands: Hands, move: MoveOf<'exchange'>): Promise<Step> {
  const { stage, clients } = hands
  const client = clients.find(({ name }) => name === move.client)
  if (!client) throw new NotThere(move.client)
  const subject = tokenNamed(hands, move.token)
  const answer = await askForToken(stage.origin, {
    grant_type: TOKEN_EXCHANGE,
    subject_token: subject.text,
    subject_token_type: ACCESS_TOKEN_TYPE,
    ...(await proofOf(hands, client)),
    scope: [...NEVER_EXCHANGED, ...allScopes(hands)].join(' '),
  })
  const { status, json } = answer
  if (status !== 200) return refused(`${json?.error} ${json?.error_description}`)
  const violations = await beyondThis(hands, client, subject, json)
  const { application } = client
  const scopes: string[] = json.scope.split(' ')
  hands.userTokens.push({
    name: `#${move.serial}`,
    application,
    client,
    user: subject.user,
    scopes,
    text: json.access_token,
    at: 'api',
    parent: subject,
    ended: false,
  })
  return { outcome: `a token with ${json.scope}`, done: true, violations }
}

async function beyondThis(
  hands: Hands,
  client: ClientInHand,
  subject: UserToken,
  { scope, access_token }: WireAnswer['json'],
): Promise<Violation[]> {
  const { root } = hands.stage
  const { items, apis, names } = hands.world
  const { application } = client
  const space = names.get('spaces/here')
  const [grants, itself, holds, ...served] = await Promise.all([
    root('GET', `/applications/${application}/grants`),
    root('GET', `/applications/${application}`),
    root('GET', `/users/${subject.user}/effective-permissions`),
    ...apis.map(({ id }) => root('GET', `/spaces/${space}/resources/${id}`)),
  ])
  const servedIds = served.flatMap(({ json }) =>
    json?.introspectors?.includes(application) ? [json.id] : [],
  )
  const claims = claimsIn(access_token)
  const permissions: { permission: string }[] = holds?.json?.data ?? []
  return beyondExchange({
    client: client.clientId,
    from: subject.application,
    scopes: scope.split(' '),
    items,
    grants: grants?.json?.grants ?? [],
    personHolds: new Set(permissions.map(({ permission }) => permission)),
    subject: {
      scopes: subject.scopes,
      ends: claimsIn(subject.text).exp,
      isOver: saidAbout(hands, subject).no,
    },
    serves: new Set(items.filter(({ api }) => servedIds.includes(api)).map(({ key }) => key)),
    impersonates: itself?.json?.mayImpersonate === true,
    actor: claims.act?.sub ?? null,
    ends: claims.exp,
  })
}

function claimsIn(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

// ---------------------------------------------------------------- clients that nobody here made

const ASKED = {
  nothing: () => undefined,
  items: ({ world }: Hands) => world.items.map(({ key }) => key).join(' '),
  all: (hands: Hands) => ['openid', ...allScopes(hands)].join(' '),
} satisfies Record<Asks, (hands: Hands) => string | undefined>

export async function register(hands: Hands, move: MoveOf<'register'>): Promise<Step> {
  const { stage, world, clients, lures, initialTokens } = hands
  const initial = initialTokens.find(({ name }) => name === move.initial)
  if (move.initial !== null && !initial) throw new NotThere(move.initial)
  const redirect = '<evil/agent>'
  const metadata = {
    client_name: 'Helpful',
    redirect_uris: [world.names.fill(redirect)],
    token_endpoint_auth_method: 'client_secret_post',
    scope: ASKED[move.asks](hands),
  }
  const { status, json } = await registerClient(stage.origin, metadata, initial?.text ?? null)
  if (status !== 201) return refused(`${status} ${json?.error}`)
  const label = `#${move.serial}`
  const { client_id: clientId, client_secret: secret } = json
  world.names.set('applications', label, clientId)
  const client = { name: label, clientId, application: clientId, secret }
  clients.push(client)
  lures.set(`<applications/${label}>`, { redirect, client, by: 'owner' })
  return { outcome: `registered for ${json.scope}`, done: true }
}

export async function publish(hands: Hands, move: MoveOf<'publish'>): Promise<Step> {
  const { stage, world, lures } = hands
  const label = `#${move.serial}`
  const path = `/${world.names.get('spaces/key')}/${crypto.randomUUID()}.json`
  const scope = ASKED[move.asks](hands)
  const about = { token_endpoint_auth_method: 'none', ...(scope && { scope }) }
  world.names.set('applications', label, stage.evil.site.document(path, about))
  const redirect = '<evil/site>'
  lures.set(`<applications/${label}>`, { redirect, client: null, by: 'owner' })
  return { outcome: 'described', done: true }
}

// ---------------------------------------------------------------- changes of agents

type Asked = Pick<AskedChange, 'token' | 'tool' | 'given'> & { serial: number }

export async function askTool(hands: Hands, asked: Asked): Promise<Step> {
  const { stage, held, changes } = hands
  const token = tokenNamed(hands, asked.token)
  const tool = tools.find(({ name }) => name === asked.tool)
  if (!tool) throw new NotThere(asked.tool)
  const before = tool.changes && (await lastChangeBy(hands, token.user))
  const { status, json } = await callTool(stage.origin, bearer(token.text), asked.tool, asked.given)
  if (status !== 200) return refused(`${status} ${json?.code}`)
  const { isError, structuredContent: content } = json?.result ?? { isError: true }
  const change = changes.find((one) => isSame(one, asked))
  if (content?.status === 'confirmation_needed') {
    const isMade = (await lastChangeBy(hands, token.user)) !== before
    if (!change)
      changes.push({ ...asked, name: `#${asked.serial}`, url: content.url, answer: null })
    else if (change.url !== content.url) Object.assign(change, { url: content.url, answer: null })
    return {
      outcome: 'has to be confirmed',
      done: true,
      violations: isMade ? beyondConfirmed(asked.tool, false) : [],
    }
  }
  if (isError) return refused(`${content?.status} ${content?.code}`)
  const isConfirmed = !tool.changes || change?.answer === 'yes'
  // A confirmation is for one call; the same call again has to be confirmed again.
  if (change) change.answer = null
  const violations = [
    ...beyondHeld(tool.operation, held.get(asked.token) ?? new Set()),
    ...beyondConfirmed(asked.tool, isConfirmed),
  ]
  return { outcome: 'done', done: true, violations }
}

function isSame(one: Omit<Asked, 'serial'>, other: Asked): boolean {
  const textOf = ({ token, tool, given }: Omit<Asked, 'serial'>) =>
    JSON.stringify([token, tool, given])
  return textOf(one) === textOf(other)
}

/** What the log says of what people merely looked at or agreed to. */
const NO_CHANGE = /^(token|consent|change|session|login|app)\./

async function lastChangeBy({ stage }: Hands, user: string): Promise<string | undefined> {
  const { json } = await stage.root('GET', `/audit-events?actorId=${user}&limit=20`)
  const entries: { id: string; event: string }[] = json?.data ?? []
  return entries.find(({ event }) => !NO_CHANGE.test(event))?.id
}

export async function askAgain(hands: Hands, { change, serial }: MoveOf<'again'>): Promise<Step> {
  return askTool(hands, { ...changeNamed(hands, change), serial })
}

function changeNamed({ changes }: Hands, name: string): AskedChange {
  const found = changes.find((one) => one.name === name)
  if (!found) throw new NotThere(name)
  return found
}

const MAX_LOOKS = 3

/** Who answers for a policy that has changed meanwhile is asked again. */
export async function answer(hands: Hands, { change, yes }: MoveOf<'answer'>): Promise<Step> {
  const asked = changeNamed(hands, change)
  const browser = browserOf(hands, tokenNamed(hands, asked.token).user)
  const word = yes ? 'yes' : 'no'
  let page = await browser.open(asked.url)
  for (let looks = 0; looks < MAX_LOOKS && page.html.includes('name="answer"'); looks += 1) {
    page = await browser.submit(page, {}, ['answer', word])
  }
  if (!page.html.includes(yes ? 'You confirmed' : 'You declined')) return refused('not answered')
  asked.answer = word
  return { outcome: word, done: true }
}

// ---------------------------------------------------------------- what the person says

const BUTTONS: Record<SaidWord, string> = {
  pause: 'Pause',
  resume: 'Resume',
  narrow: 'Save choices',
  end: 'Remove ',
}

/** At the page of their applications. */
export async function say(hands: Hands, { word, token: name }: MoveOf<'say'>): Promise<Step> {
  const token = tokenNamed(hands, name)
  const { user, application } = token
  const browser = browserOf(hands, user)
  const form = formAbout(await browser.open('/account/apps'), application, BUTTONS[word])
  const keeps = allScopes(hands).filter((scope) => /:(read|plain)$/.test(scope))
  const page = await browser.submit(form, word === 'narrow' ? { scope: keeps } : {})
  if (!/done=app/.test(page.url)) return refused(`${page.status}`)
  const said = wordAbout(hands, user, application)
  if (word === 'pause') said.paused = true
  if (word === 'resume') said.paused = false
  if (word === 'narrow') {
    said.refused = new Set(allScopes(hands).filter((one) => !keeps.includes(one)))
  }
  if (word === 'end') end(hands, token)
  return { outcome: 'done', done: true }
}

function end(hands: Hands, { user, application }: UserToken): void {
  Object.assign(wordAbout(hands, user, application), { paused: false, refused: new Set() })
  for (const one of hands.userTokens) {
    if (one.user === user && one.application === application) one.ended = true
  }
}

function formAbout(page: Page, application: string, button: string): Page {
  const forms = page.html.match(/<form[\s\S]*?<\/form>/g) ?? []
  const html = forms.find(
    (form) => form.includes(`value="${application}"`) && form.includes(button),
  )
  if (html === undefined) throw new NotThere(`${button} ${application}`)
  return { ...page, html }
}
