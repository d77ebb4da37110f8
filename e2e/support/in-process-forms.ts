import { leaveApp } from '../../lib/accounts/connected-apps'
import { answerDevice, enterCode as enterUserCode, findDevice } from '../../lib/accounts/device'
import { findWaiting, finishSignIn } from '../../lib/accounts/finish-sign-in'
import { giveUsername } from '../../lib/accounts/give-username'
import type { SignInFrom, StartedSession } from '../../lib/accounts/new-session'
import { endEverySession } from '../../lib/accounts/own-sessions'
import { factorProof } from '../../lib/accounts/second-factor'
import { heldSessions, ownCookieName } from '../../lib/accounts/session-cookie'
import { stepUp } from '../../lib/accounts/step-up'
import { browserOf } from '../../lib/browser/browser'
import { askForCode, enterCode } from '../../lib/browser/mail-code-form'
import type { HeldSession } from '../../lib/context/op'
import { unseal } from '../../lib/crypto/seal'
import { findOwnInteraction } from '../../lib/oidc/authorize'
import { findAsker } from '../../lib/oidc/end-session'
import { paths } from '../../lib/oidc/paths'
import type { OpenOp } from '../../lib/op'
import { sessionTimes } from '../../lib/settings/session-times'
import { denyInteraction } from '../../lib/store/tokens/interactions'
import type { Browser, FormFields, SentRequest } from './send'

/**
 * What forms do that call a server action, by the functions behind it. What a page would say about a
 * refusal is in `problem`.
 */

type Form = (op: OpenOp, browser: Browser, page: URL, typed: FormFields) => Promise<SentRequest>

const LOOPBACK = '127.0.0.1'
const textOf = (typed: FormFields, name: string) => [typed[name] ?? []].flat()[0] ?? ''
const paramOf = ({ searchParams }: URL, name: string) => searchParams.get(name) ?? ''

/** By path. */
export const forms: Readonly<Record<string, Form>> = {
  '/login': askInstead,
  '/login/code': typeSignInCode,
  '/logout': signOut,
  '/second-factor': proveSecondFactor,
  '/device': typeCode,
  '/device/confirm': confirmDevice,
}

// ---------------------------------------------------------------- sessions of this browser

async function sessionsOf(op: OpenOp, { headers }: Browser) {
  const active = await op.sessionOf({ headers })
  const { active: secret } = await op.heldBy({ headers })
  const first = active && secret !== null ? [{ ...active, secret }] : []
  return { active, held: [...first, ...(await op.otherSessionsOf({ headers }))] }
}

async function originOf(op: OpenOp, browser: Browser): Promise<SignInFrom> {
  const deviceTokens = cookieOf(op, browser, 'device')?.split('.') ?? []
  const { held } = await sessionsOf(op, browser)
  return { ip: LOOPBACK, userAgent: browser.userAgent, held, deviceTokens }
}

function cookieOf(op: OpenOp, { headers }: Browser, name: string): string | undefined {
  const pairs = headers.get('cookie')?.split('; ') ?? []
  const prefix = `${ownCookieName(op, name)}=`
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length)
}

async function hold(op: OpenOp, active: string | null, others: HeldSession[]): Promise<string> {
  const { longestMs } = sessionTimes(await op.settings.current())
  const secrets = others.map(({ secret }) => secret)
  return heldSessions(op, { active, others: secrets }, longestMs / 1000)
}

async function begin(op: OpenOp, browser: Browser, started: StartedSession): Promise<string> {
  const { held } = await sessionsOf(op, browser)
  await giveUsername(op, started.userId)
  const others = held.filter(({ user }) => user.id !== started.userId)
  return hold(op, started.secret, others)
}

// ---------------------------------------------------------------- sign-out and second factor

/** The browser as the forms of a sign-in see it, which set its cookies. */
function answered(op: OpenOp, { headers, userAgent }: Browser, lines: string[]) {
  const sent = new Headers(headers)
  sent.set('user-agent', userAgent)
  return browserOf(op, { headers: sent, ip: LOOPBACK }, lines)
}

/** A code by mail instead of the password. */
async function askInstead(
  op: OpenOp,
  browser: Browser,
  page: URL,
  typed: FormFields,
): Promise<SentRequest> {
  const cookies: string[] = []
  const asking = { identifier: textOf(typed, 'identifier'), returnTo: paramOf(page, 'returnTo') }
  const asked = await askForCode(op, answered(op, browser, cookies), 'en', asking)
  return asked.ok ? { goTo: asked.goTo, cookies } : asked
}

async function typeSignInCode(
  op: OpenOp,
  browser: Browser,
  page: URL,
  typed: FormFields,
): Promise<SentRequest> {
  const cookies: string[] = []
  const sent = { code: textOf(typed, 'code'), returnTo: paramOf(page, 'returnTo') }
  const done = await enterCode(op, answered(op, browser, cookies), 'en', sent)
  return done.ok ? { goTo: done.goTo, cookies } : done
}

async function signOut(
  op: OpenOp,
  browser: Browser,
  page: URL,
  typed: FormFields,
): Promise<SentRequest> {
  const request = page.search.slice(1)
  const reach = textOf(typed, 'reach')
  const { active, held } = await sessionsOf(op, browser)
  const origin = { ip: LOOPBACK, userAgent: browser.userAgent }
  const asker = await findAsker(op, request)
  if (reach === 'app') {
    if (active && asker) await leaveApp(op, active, asker.application.id, origin)
    return { goTo: asker ? `/logout/app?${request}` : '/logout' }
  }
  if (reach === 'everywhere' && active) await endEverySession(op, active, origin)
  const ended = reach === 'all' ? held : held.filter(({ id }) => id === active?.id)
  for (const session of ended) {
    await op.endSession(session, { ...origin, headers: browser.headers })
  }
  const others = held.filter((one) => !ended.includes(one))
  const goTo = request === '' ? '/logout' : `${paths.endSession}?${request}`
  return { goTo, cookies: [await hold(op, null, others)] }
}

async function proveSecondFactor(
  op: OpenOp,
  browser: Browser,
  page: URL,
  typed: FormFields,
): Promise<SentRequest> {
  const interaction = paramOf(page, 'interaction')
  if (interaction !== '') return stepUpFor(op, browser, interaction, typed)
  if (paramOf(page, 'raise') === 'yes') {
    return raise(op, browser, typed, paramOf(page, 'returnTo') || '/account')
  }
  const waiting = JSON.parse(
    unseal(op.cookieKey, 'waiting', cookieOf(op, browser, 'waiting') ?? ''),
  )
  const userId = await findWaiting(op, waiting)
  if (userId === null) return { problem: 'expired' }
  const from = await originOf(op, browser)
  const proof = await factorProof(op, userId, factorIn(typed), from)
  if (!proof) return { problem: 'missing' }
  const trust = textOf(typed, 'trust') === 'yes'
  const result = await finishSignIn(op, waiting, userId, { proof, trust }, from)
  if (!result.ok) return result
  const cookies = [await begin(op, browser, result.started)]
  return { goTo: paramOf(page, 'returnTo') || '/account', cookies }
}

/** Because an application asks for it. */
async function stepUpFor(
  op: OpenOp,
  browser: Browser,
  id: string,
  typed: FormFields,
): Promise<SentRequest> {
  if (!(await findOwnInteraction(op, browser, id))) return { problem: 'expired' }
  const goTo = `${paths.authorize}/${id}`
  if (textOf(typed, 'answer') !== 'cancel') return raise(op, browser, typed, goTo)
  await op.write((tx) => denyInteraction(tx, id))
  return { goTo }
}

async function raise(
  op: OpenOp,
  browser: Browser,
  typed: FormFields,
  goTo: string,
): Promise<SentRequest> {
  const { active } = await sessionsOf(op, browser)
  if (!active) return { problem: 'expired' }
  const from = await originOf(op, browser)
  const proof = await factorProof(op, active.user.id, factorIn(typed), from)
  if (!proof) return { problem: 'missing' }
  const result = await stepUp(op, active, proof, from)
  return result.ok ? { goTo, cookies: [await begin(op, browser, result.started)] } : result
}

function factorIn(typed: FormFields) {
  return { code: textOf(typed, 'code'), recovery: textOf(typed, 'recovery'), passkey: '' }
}

// ---------------------------------------------------------------- devices

async function typeCode(
  op: OpenOp,
  browser: Browser,
  _page: URL,
  typed: FormFields,
): Promise<SentRequest> {
  const { active: session } = await sessionsOf(op, browser)
  const entered = await enterUserCode(op, { ip: LOOPBACK, session }, textOf(typed, 'user_code'))
  if (!entered.ok) return entered
  const { name, value, maxAge } = entered.cookie
  return { goTo: entered.goTo, cookies: [`${name}=${value}; Max-Age=${maxAge}`] }
}

async function confirmDevice(
  op: OpenOp,
  { headers }: Browser,
  page: URL,
  typed: FormFields,
): Promise<SentRequest> {
  const [id, code] = [paramOf(page, 'interaction'), paramOf(page, 'user_code')]
  const open = await findDevice(op, { headers }, id, code)
  if (!open) return { problem: 'expired' }
  return { goTo: await answerDevice(op, open, textOf(typed, 'answer') === '') }
}
