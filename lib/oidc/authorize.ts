import { type Incoming, pathOf, queryOf, type Reply } from '../base/http'
import { newDatedId, newSecret, sameDigest } from '../crypto/secrets'
import { answerTo, errorLink, errorTo, seeOther } from './answer'
import type { AuthorizationRequest } from './authorization-request'
import { type Credential, whyUnusable } from './client'
import { slowDown } from './client-auth'
import { asksEveryTime, canAskInstead, requireWeighed, weighConsent } from './consent'
import {
  clearedCookie,
  forgetOldInteractions,
  interactionCookie,
  MAX_INTERACTIONS,
  readCookie,
} from './cookies'
import { approveDevice, forDevice, refuseDevice, VERIFICATION_PATH } from './device'
import type { Handler } from './endpoint'
import { isOAuthError, OAuthError, ourFault } from './errors'
import { settledStep } from './first-party'
import { type SignedIn, type Step, signInStep, stepUpHelps, wantsStepUp } from './interaction'
import {
  formOf,
  nameIn,
  parsePairs,
  readFormText,
  repeated,
  repeatedParameters,
  requireFewValues,
} from './params'
import { parseAuthorizationRequest } from './parse-authorization-request'
import { paths } from './paths'
import type { BrowserSession, Provider } from './provider'
import { recordRefusal, refusalOf } from './refusal'
import type { ReasonOf } from './refusal-reasons'
import type { Interaction } from './stores'
import { requireAnswerable, resolveTarget } from './target'
import { maySendTo } from './unknown-publisher'

const INTERACTION_MS = 60 * 60 * 1000
const CODE_MS = 60 * 1000

/**
 * Called before the client is looked up, with what the endpoint itself read: nobody has to read the
 * request a second time, in another way.
 */
export type Prepare<O extends Provider> = (
  op: O,
  incoming: Incoming,
  asked: RequestedTarget,
) => Promise<void>
export type RequestedTarget = { clientId: string; redirectUri: string | undefined }

/** GET and POST /oidc/auth (OpenID Connect Core §3.1.2.1) */
export function authorizeAfter<O extends Provider>(prepare: Prepare<O>): Handler<O> {
  return async (op, incoming) => {
    const parameters = await readParameters(incoming)
    const twice = repeatedParameters(parameters)
    if (twice.includes('client_id') || twice.includes('redirect_uri')) throw repeated()
    const form = formOf(parameters)
    const clientId = nameIn(form.get('client_id'))
    await prepare(op, incoming, { clientId, redirectUri: form.get('redirect_uri') })
    const target = await resolveTarget(op, incoming, form)
    const silent = form.get('prompt') === 'none' && !twice.includes('prompt')
    return toTarget(op, incoming, { ...target, clientId, silent }, async () => {
      if (twice.length > 0) throw repeated()
      requireFewValues(parameters)
      requireAnswerable(form)
      const ask = await parseAuthorizationRequest(op, target, form)
      // A cross-site POST carries none of the portal's cookies, so the next GET answers it.
      return incoming.method === 'POST'
        ? storeAndRedirect(op, incoming, ask)
        : advance(op, incoming, ask, null)
    })
  }
}

/** GET /oidc/auth/{interaction}: the same request, after login or consent. */
export async function resume(op: Provider, incoming: Incoming): Promise<Reply> {
  const id = pathOf(incoming.url).slice(`${paths.authorize}/`.length)
  const interaction = await findOwnInteraction(op, incoming, id)
  if (!interaction) throw interactionEnded()
  const reply = await resumeInteraction(op, incoming, interaction)
  // A cross-site POST did not show the cookies of older interactions.
  const old = forgetOldInteractions(op, incoming, MAX_INTERACTIONS)
  return { ...reply, cookies: [...(reply.cookies ?? []), ...old] }
}

/** Says why an admin in the account of somebody else gets into none of their applications. */
const IMPERSONATED = '/impersonated'

function interactionEnded(): OAuthError {
  const description = 'this sign-in has expired or was completed'
  return new OAuthError('invalid_request', description, 'interaction_ended')
}

function resumeInteraction(
  op: Provider,
  incoming: Incoming,
  interaction: Interaction,
): Promise<Reply> {
  const { ask, denied } = interaction
  const goOn = () => advance(op, incoming, ask, interaction)
  if (!ask.device) {
    const where = { ...ask, silent: ask.prompt.includes('none') }
    return toTarget(op, incoming, where, denied ? () => deny(op, interaction) : goOn)
  }
  const answering = { op, incoming, interaction, deviceId: ask.device.id }
  return forDevice(answering, denied ? () => refuseDevice(answering, 'refused') : goOn)
}

/** An interaction belongs to the browser that began it. */
export async function findOwnInteraction(
  op: Provider,
  incoming: Pick<Incoming, 'headers'>,
  id: string,
): Promise<Interaction | null> {
  const secret = readCookie(incoming, interactionCookie(op, id))
  const interaction = await op.interactions.find(id, op.now())
  if (!interaction || secret === null) return null
  return sameDigest(op.hashSecret(secret), interaction.browserHash) ? interaction : null
}

type Where = Pick<AuthorizationRequest, 'clientId' | 'redirectUri' | 'responseMode' | 'state'> & {
  /** `prompt=none`: no page may be shown (OpenID Connect Core §3.1.2.1). */
  silent: boolean
}

/**
 * Below the trust line, every error goes to the application; to an unverified client, if the user
 * agrees, or if it asked for silence. Its admins see it too.
 */
async function toTarget(
  op: Provider,
  incoming: Incoming,
  where: Where,
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    // Only the browser can wait, and RFC 6749 §4.1.2.1 has no word for it.
    if (isOAuthError(error) && error.word === 'slow_down') throw error
    if (!isOAuthError(error)) op.report(error, incoming.requestId)
    const told = isOAuthError(error) ? error : ourFault(op, error)
    const credential = await credentialOf(op, where)
    if (credential && isOAuthError(error)) {
      recordRefusal(op, incoming, credential, 'authorize.refused', refusalOf(error))
    }
    const application = credential?.application
    if (!application || where.silent || (await maySendTo(op, incoming, application))) {
      return errorTo(op, where, told)
    }
    const { word, message, refusal } = told
    const onward = errorLink(op, where, told)
    const shown = { application, onward, facts: refusal.facts, cause: error }
    throw new OAuthError(word, message, refusal.reason, shown)
  }
}

/** Undefined if it was deleted, or if the database is away. */
async function credentialOf(
  op: Provider,
  { clientId }: Pick<Where, 'clientId'>,
): Promise<Credential | undefined> {
  const snapshot = await op.snapshot({ clients: [clientId] }).catch(() => null)
  return snapshot?.credentials.get(clientId)
}

async function readParameters(incoming: Incoming): Promise<Map<string, string[]>> {
  const query = queryOf(incoming.url)
  if (incoming.method !== 'POST') return parsePairs(query)
  return parsePairs([query, await readFormText(incoming)].filter((part) => part !== '').join('&'))
}

async function advance(
  op: Provider,
  incoming: Incoming,
  ask: AuthorizationRequest,
  interaction: Interaction | null,
): Promise<Reply> {
  const credential = await requireCredential(op, ask)
  // Nobody has said yet that the device is theirs, so the code has to be entered first.
  if (ask.device?.confirmedAt === null) return seeOther(VERIFICATION_PATH)
  const others = await op.otherSessionsOf(incoming)
  const found = sessionFromHint(ask, others) ?? (await op.sessionOf(incoming))
  if (found?.impersonation && !ask.prompt.includes('none')) return seeOther(IMPERSONATED)
  const session = found?.impersonation ? null : found
  const progress = { ask, credential, session, interaction }
  const early = signInStep(ask, {
    session: session && (await signedIn(op, ask, session)),
    others: others.map(({ user }) => user.id),
    chosenAt: interaction?.chosenAt ?? null,
  })
  if (early || !session) return perform(op, incoming, early ?? { do: 'login' }, progress)
  const weighed = await weighConsent(op, incoming, ask, credential, session)
  if (canAskInstead(ask, weighed)) return perform(op, incoming, { do: 'consent' }, progress)
  requireWeighed(weighed, credential.application)
  const { application } = credential
  const consenting = {
    undecided: weighed.undecided,
    answeredAt: interaction?.consentedAt ?? null,
    everyTime: asksEveryTime(application, weighed),
  }
  const step = await settledStep(ask, application, consenting, (scopes) =>
    assumeConsent(op, incoming, { userId: session.user.id, applicationId: application.id, scopes }),
  )
  return perform(op, incoming, step, progress)
}

function assumeConsent(
  op: Provider,
  { ip, requestId }: Incoming,
  assumed: { userId: string; applicationId: string; scopes: readonly string[] },
): Promise<boolean> {
  return op.assumeConsent(assumed, {
    event: 'consent.assumed',
    result: 'success',
    actorKind: 'user',
    actorId: assumed.userId,
    applicationId: assumed.applicationId,
    ip,
    requestId,
    detail: { granted: assumed.scopes },
  })
}

/**
 * With `prompt=none` no page can be shown: only a hint can choose among the accounts of the
 * browser.
 */
function sessionFromHint({ prompt, hintedUserId }: AuthorizationRequest, others: BrowserSession[]) {
  if (!prompt.includes('none')) return undefined
  return others.find(({ user }) => user.id === hintedUserId)
}

type Progress = {
  ask: AuthorizationRequest
  credential: Credential
  session: BrowserSession | null
  interaction: Interaction | null
}

/** Why `prompt=none` cannot be answered without a page. */
const SILENT_REASONS = {
  login_required: 'login_needed',
  account_selection_required: 'account_choice_needed',
  consent_required: 'consent_needed',
  unmet_authentication_requirements: 'stronger_sign_in_needed',
} as const satisfies { [Word in RefusingStep['word']]: ReasonOf<Word> }
type RefusingStep = Extract<Step, { do: 'refuse' }>

async function perform(
  op: Provider,
  incoming: Incoming,
  step: Step,
  progress: Progress,
): Promise<Reply> {
  switch (step.do) {
    case 'refuse':
      throw new OAuthError(step.word, 'the user has to interact', SILENT_REASONS[step.word])
    case 'login':
      return redirectToStep(op, incoming, progress, (resumeAt) => loginPath(progress.ask, resumeAt))
    case 'choose_account':
      return redirectToStep(
        op,
        incoming,
        progress,
        (resumeAt) => `/accounts?interaction=${lastSegment(resumeAt)}`,
      )
    case 'second_factor':
      return redirectToStep(
        op,
        incoming,
        progress,
        (resumeAt) => `/second-factor?interaction=${lastSegment(resumeAt)}`,
      )
    case 'consent':
      return redirectToStep(
        op,
        incoming,
        progress,
        (resumeAt) => `/consent?interaction=${lastSegment(resumeAt)}`,
      )
    case 'issue':
      return issueCode(op, incoming, progress)
  }
}

/** The second factor is looked up only if one is requested. */
async function signedIn(
  op: Provider,
  ask: AuthorizationRequest,
  session: BrowserSession,
): Promise<SignedIn> {
  const { acr, user } = session
  const canStepUp = wantsStepUp(ask, session) && stepUpHelps(ask, await op.strongestFactor(user.id))
  const provenAt = session.provenAt?.getTime() ?? null
  const signedInAt = session.signedInAt.getTime()
  return { userId: user.id, signedInAt, provenAt, acr, canStepUp }
}

async function requireCredential(op: Provider, ask: AuthorizationRequest): Promise<Credential> {
  const { credentials } = await op.snapshot({ clients: [ask.clientId] })
  const credential = credentials.get(ask.clientId)
  const unusable = credential ? whyUnusable(credential, op.now()) : 'client_unknown'
  if (credential && unusable === null) return credential
  const description = 'the application has been disabled'
  throw new OAuthError('unauthorized_client', description, unusable ?? 'client_unknown')
}

/** Stores the request if it is not stored yet, and sends the browser to a page of the portal. */
async function redirectToStep(
  op: Provider,
  incoming: Incoming,
  { ask, session, interaction }: Progress,
  pathFor: (resumeAt: string) => string,
): Promise<Reply> {
  if (interaction) return seeOther(pathFor(`${paths.authorize}/${interaction.id}`))
  if (!session) await requireFewBegun(op, incoming)
  const { resumeAt, cookies } = await store(op, incoming, ask)
  return seeOther(pathFor(resumeAt), ...cookies)
}

async function storeAndRedirect(
  op: Provider,
  incoming: Incoming,
  ask: AuthorizationRequest,
): Promise<Reply> {
  // The session cookie does not come along (SameSite=Lax): everybody is nobody here.
  await requireFewBegun(op, incoming)
  const { resumeAt, cookies } = await store(op, incoming, ask)
  return seeOther(resumeAt, ...cookies)
}

type Stored = { resumeAt: string; cookies: string[] }

/** Anybody can begin sign-ins that nobody finishes, and each is a row for an hour (attack Q91). */
async function requireFewBegun(op: Provider, { ip }: Incoming): Promise<void> {
  const network = ip === null ? 'unknown' : op.limits.networkOf(ip)
  const retryAfter = await op.limits.signInsBegun.take(network)
  if (retryAfter > 0) throw slowDown(retryAfter)
}

async function store(op: Provider, incoming: Incoming, ask: AuthorizationRequest): Promise<Stored> {
  const { resumeAt, cookie } = await keepInteraction(op, ask, INTERACTION_MS)
  const secure = op.cookies.secure ? '; Secure' : ''
  const value = `${cookie.name}=${cookie.value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${INTERACTION_MS / 1000}${secure}`
  return {
    resumeAt,
    cookies: [value, ...forgetOldInteractions(op, incoming, MAX_INTERACTIONS - 1)],
  }
}

type KeptInteraction = { resumeAt: string; cookie: { name: string; value: string } }

/** Only a browser with this cookie can continue the interaction. */
export async function keepInteraction(
  op: Provider,
  ask: AuthorizationRequest,
  milliseconds: number,
): Promise<KeptInteraction> {
  const id = newDatedId('int')
  const secret = newSecret('ghbr')
  const createdAt = op.now()
  await op.interactions.save({
    id,
    ask,
    browserHash: op.hashSecret(secret),
    consentedAt: null,
    chosenAt: null,
    denied: false,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + milliseconds),
  })
  const cookie = { name: interactionCookie(op, id), value: secret }
  return { resumeAt: `${paths.authorize}/${id}`, cookie }
}

function loginPath({ loginHint, uiLocales }: AuthorizationRequest, resumeAt: string): string {
  const query = new URLSearchParams({ returnTo: resumeAt })
  if (loginHint !== null) query.set('login_hint', loginHint)
  if (uiLocales !== null) query.set('ui_locales', uiLocales)
  return `/login?${query}`
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

async function issueCode(op: Provider, incoming: Incoming, progress: Progress): Promise<Reply> {
  const { ask, credential, session, interaction } = progress
  if (!session) throw new OAuthError('login_required', 'the user has to interact', 'login_needed')
  if (interaction?.ask.device) {
    return approveDevice(op, incoming, interaction, session, credential.application)
  }
  const code = newSecret('ghac')
  const createdAt = op.now()
  const saved = await op.codes.save(
    {
      codeHash: op.hashSecret(code),
      applicationId: credential.application.id,
      accessKeyId: credential.accessKey?.id ?? null,
      userId: session.user.id,
      sessionId: session.id,
      redirectUri: ask.redirectUri,
      scopes: ask.scopes,
      resources: ask.resources,
      claims: ask.claims,
      challenge: ask.challenge,
      nonce: ask.nonce,
      authTime: session.authTime,
      acr: session.acr,
      amr: session.amr,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + CODE_MS),
    },
    interaction?.id ?? null,
    {
      event: 'code.issued',
      result: 'success',
      actorKind: 'user',
      actorId: session.user.id,
      applicationId: credential.application.id,
      ip: incoming.ip,
      requestId: incoming.requestId,
      detail: { scope: ask.scopes },
    },
  )
  if (!saved) throw interactionEnded()
  const reply = answerTo(op, ask, { code })
  return interaction ? { ...reply, cookies: [clearedCookie(op, interaction.id)] } : reply
}

/** Cancel on the consent page: the application gets access_denied. */
async function deny(op: Provider, interaction: Interaction): Promise<Reply> {
  await op.interactions.complete(interaction.id, op.now())
  throw new OAuthError('access_denied', 'the user did not consent', 'user_declined')
}
