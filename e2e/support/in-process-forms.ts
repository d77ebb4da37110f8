import { leaveApp } from '../../lib/accounts/connected-apps'
import { answerDevice, enterCode as enterUserCode, findDevice } from '../../lib/accounts/device'
import { findWaiting, finishSignIn } from '../../lib/accounts/finish-sign-in'
import { endEverySession } from '../../lib/accounts/own-sessions'
import { factorProof } from '../../lib/accounts/second-factor'
import { stepUp } from '../../lib/accounts/step-up'
import {
  beginSessionAt,
  heldSessionsOf,
  hold,
  originOf,
  secretsOf,
} from '../../lib/browser/after-sign-in'
import { type Browser, browserOf } from '../../lib/browser/browser'
import { forgetWaiting, keepDeviceToken, waitingSignIn } from '../../lib/browser/browser-memory'
import { askForCode, enterCode } from '../../lib/browser/mail-code-form'
import { findOwnInteraction } from '../../lib/oidc/authorize'
import { findAsker } from '../../lib/oidc/end-session'
import { paths } from '../../lib/oidc/paths'
import type { OpenOp } from '../../lib/op'
import { denyInteraction } from '../../lib/store/tokens/interactions'
import type { FormFields, Browser as Sender, SentRequest } from './send'

/**
 * What forms do that call a server action, by the functions behind it. What a page would say about a
 * refusal is in `problem`.
 */

type Sent = { op: OpenOp; browser: Browser; page: URL; typed: FormFields }
type Answered = { goTo: string } | { problem: string; retryAfterSeconds?: number }
type Form = (sent: Sent) => Promise<Answered>

const LOOPBACK = '127.0.0.1'
const LOCALE = 'en'
const textOf = (typed: FormFields, name: string) => [typed[name] ?? []].flat()[0] ?? ''
const paramOf = ({ searchParams }: URL, name: string) => searchParams.get(name) ?? ''

/** By path. */
const forms: Readonly<Record<string, Form>> = {
  '/login': askInstead,
  '/login/code': typeSignInCode,
  '/logout': signOut,
  '/second-factor': proveSecondFactor,
  '/device': typeCode,
  '/device/confirm': confirmDevice,
}

export async function sendToAction(
  op: OpenOp,
  { headers, userAgent }: Sender,
  page: URL,
  typed: FormFields,
): Promise<SentRequest> {
  const form = forms[page.pathname]
  if (!form) throw new Error(`${page.pathname} has a form that needs the built portal`)
  const cookies: string[] = []
  const sent = new Headers(headers)
  sent.set('user-agent', userAgent)
  const browser = browserOf(op, { headers: sent, ip: LOOPBACK }, cookies)
  const answered = await form({ op, browser, page, typed })
  return 'goTo' in answered ? { ...answered, cookies } : answered
}

function userAgentOf({ headers }: Browser): string {
  return headers.get('user-agent') ?? ''
}

// ---------------------------------------------------------------- sign-in by mail

/** A code by mail instead of the password. */
function askInstead({ op, browser, page, typed }: Sent): Promise<Answered> {
  const asking = { identifier: textOf(typed, 'identifier'), returnTo: paramOf(page, 'returnTo') }
  return askForCode(op, browser, LOCALE, asking)
}

function typeSignInCode({ op, browser, page, typed }: Sent): Promise<Answered> {
  const sent = { code: textOf(typed, 'code'), returnTo: paramOf(page, 'returnTo') }
  return enterCode(op, browser, LOCALE, sent)
}

// ---------------------------------------------------------------- sign-out and second factor

async function signOut({ op, browser, page, typed }: Sent): Promise<Answered> {
  const request = page.search.slice(1)
  const reach = textOf(typed, 'reach')
  const active = await op.sessionOf(browser)
  const held = await heldSessionsOf(op, browser)
  const origin = { ip: LOOPBACK, userAgent: userAgentOf(browser) }
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
  await hold(op, browser, { active: null, others: secretsOf(others) })
  return { goTo: request === '' ? '/logout' : `${paths.endSession}?${request}` }
}

async function proveSecondFactor(sent: Sent): Promise<Answered> {
  const { op, browser, page, typed } = sent
  const interaction = paramOf(page, 'interaction')
  const goTo = paramOf(page, 'returnTo') || '/account'
  if (interaction !== '') return stepUpFor(sent, interaction)
  if (paramOf(page, 'raise') === 'yes') return raise(sent, goTo)
  const waiting = waitingSignIn(op, browser)
  const userId = waiting && (await findWaiting(op, waiting))
  if (!waiting || !userId) return { problem: 'expired' }
  const from = await originOf(op, browser, LOCALE)
  const proof = await factorProof(op, userId, factorIn(typed), from)
  if (!proof) return { problem: 'missing' }
  const trust = textOf(typed, 'trust') === 'yes'
  const result = await finishSignIn(op, waiting, userId, { proof, trust }, from)
  if (!result.ok) return result
  await beginSessionAt(op, browser, result.started)
  forgetWaiting(op, browser)
  if (result.deviceToken !== null) keepDeviceToken(op, browser, result.deviceToken)
  return { goTo }
}

/** Because an application asks for it. */
async function stepUpFor(sent: Sent, id: string): Promise<Answered> {
  const { op, browser, typed } = sent
  if (!(await findOwnInteraction(op, browser, id))) return { problem: 'expired' }
  const goTo = `${paths.authorize}/${id}`
  if (textOf(typed, 'answer') !== 'cancel') return raise(sent, goTo)
  await op.write((tx) => denyInteraction(tx, id))
  return { goTo }
}

async function raise({ op, browser, typed }: Sent, goTo: string): Promise<Answered> {
  const active = await op.sessionOf(browser)
  if (!active) return { problem: 'expired' }
  const from = await originOf(op, browser, LOCALE)
  const proof = await factorProof(op, active.user.id, factorIn(typed), from)
  if (!proof) return { problem: 'missing' }
  const result = await stepUp(op, active, proof, from)
  if (!result.ok) return result
  await beginSessionAt(op, browser, result.started)
  return { goTo }
}

function factorIn(typed: FormFields) {
  return { code: textOf(typed, 'code'), recovery: textOf(typed, 'recovery'), passkey: '' }
}

// ---------------------------------------------------------------- devices

async function typeCode({ op, browser, typed }: Sent): Promise<Answered> {
  const session = await op.sessionOf(browser)
  const entered = await enterUserCode(op, { ip: LOOPBACK, session }, textOf(typed, 'user_code'))
  if (!entered.ok) return entered
  const { name, value, maxAge } = entered.cookie
  browser.setCookie(name, value, maxAge)
  return { goTo: entered.goTo }
}

async function confirmDevice({ op, browser, page, typed }: Sent): Promise<Answered> {
  const [id, code] = [paramOf(page, 'interaction'), paramOf(page, 'user_code')]
  const open = await findDevice(op, browser, id, code)
  if (!open) return { problem: 'expired' }
  return { goTo: await answerDevice(op, open, textOf(typed, 'answer') === '') }
}
