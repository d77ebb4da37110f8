import { isImpersonation } from '../accounts/browser-sessions'
import { agree, disagree, findConsent } from '../accounts/consent'
import { signInWithPassword } from '../accounts/sign-in'
import { type Incoming, NO_STORE, type Reply } from '../base/http'
import type { Op } from '../context/op'
import { seeOther } from '../oidc/answer'
import type { Endpoint } from '../oidc/endpoint'
import { readFormText } from '../oidc/params'
import { afterFirstFactor, originOf } from './after-sign-in'
import { type Browser, browserOf } from './browser'
import { wantsNoPasskeyOffer } from './browser-memory'
import { identifierIn } from './identifier'
import { localeOfReader } from './reader-locale'
import { afterForm, returningTo, safeReturnTo } from './return-to'

/**
 * The forms that everybody waits for. A browser sends them as they are, with and without scripts,
 * and no page is made for the answer unless something is wrong.
 */

/** Where the browser goes on, or the page that says what is wrong. */
type Answered = { goTo: string } | (Pick<Reply, 'status'> & { page: string; wait?: number })

type Sent = { op: Op; browser: Browser; form: URLSearchParams }

function pageForm(name: string, answer: (sent: Sent) => Promise<Answered>): Endpoint<Op> {
  return { name, page: 'signIn', methods: { POST: (op, incoming) => take(op, incoming, answer) } }
}

async function take(
  op: Op,
  incoming: Incoming,
  answer: (sent: Sent) => Promise<Answered>,
): Promise<Reply> {
  if (await isImpersonated(op, incoming)) return seeOther(IMPERSONATED)
  const form = new URLSearchParams(await readFormText(incoming))
  const cookies: string[] = []
  const browser = browserOf(op, incoming, cookies)
  const answered = await answer({ op, browser, form })
  if ('goTo' in answered) return seeOther(afterForm(answered.goTo), ...cookies)
  const { page, status, wait } = answered
  const headers = { ...NO_STORE, ...(wait !== undefined && { 'Retry-After': String(wait) }) }
  return { status, headers, cookies, body: '', page }
}

/** An admin in the account of a user signs in as nobody, and agrees to nothing for the user. */
const IMPERSONATED = '/impersonated?refused=yes'

async function isImpersonated(op: Op, incoming: Incoming): Promise<boolean> {
  const { active } = await op.heldBy(incoming)
  return active !== null && isImpersonation(active) && (await op.sessionOf(incoming)) !== null
}

// ---------------------------------------------------------------- the password

export const passwordForm = pageForm('password form', async ({ op, browser, form }) => {
  const typed = {
    identifier: identifierIn({ identifier: textIn(form, 'identifier') }),
    password: textIn(form, 'password'),
  }
  const returnTo = safeReturnTo(form.get('returnTo'))
  const again = { returnTo, identifier: typed.identifier }
  if (typed.identifier === '' || typed.password === '') return refused('missing', again)
  const locale = await localeOfReader(op, browser, returningTo('/login', returnTo))
  const result = await signInWithPassword(op, typed, await originOf(op, browser, locale))
  if (!result.ok) {
    const wait = 'retryAfterSeconds' in result ? result.retryAfterSeconds : undefined
    return refused(result.problem, again, wait)
  }
  const goTo = await afterFirstFactor(op, browser, result, 'password', returnTo)
  const offers = result.step === 'session' && form.get('passkeys') === 'yes'
  const isOffered = offers && (await lacksPasskey(op, browser, result.started.userId))
  return { goTo: isOffered ? returningTo('/passkey', goTo) : goTo }
})

/** Whoever could have a passkey here and has none is offered one, unless they said no. */
async function lacksPasskey(op: Op, browser: Browser, userId: string): Promise<boolean> {
  return !wantsNoPasskeyOffer(op, browser) && !(await op.passkeys.any(userId))
}

function refused(
  problem: string,
  { identifier, returnTo }: { identifier: string; returnTo: string },
  wait?: number,
): Answered {
  const query = new URLSearchParams({ identifier, refused: problem })
  if (returnTo !== '/') query.set('returnTo', returnTo)
  if (wait === undefined) return { page: `/login?${query}`, status: 400 }
  query.set('wait', String(wait))
  return { page: `/login?${query}`, status: 429, wait }
}

// ---------------------------------------------------------------- consent

export const consentForm = pageForm('consent form', async ({ op, browser, form }) => {
  const interaction = textIn(form, 'interaction')
  const open = await findConsent(op, browser, await op.sessionOf(browser), interaction)
  if (!open || open === 'signed_out')
    return { page: `/consent?${new URLSearchParams({ interaction })}`, status: 400 }
  const cancelled = open.view.keptOut || form.get('answer') === 'cancel'
  const ticked = form.getAll('scope')
  return { goTo: cancelled ? await disagree(op, open) : await agree(op, open, ticked) }
})

/** By the path of their page. */
export const pageForms = { '/login': passwordForm, '/consent': consentForm } as const
export type PageWithForm = keyof typeof pageForms

function textIn(form: URLSearchParams, name: string): string {
  return form.get(name) ?? ''
}
