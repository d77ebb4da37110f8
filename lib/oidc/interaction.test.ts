import { describe, expect, test } from 'vitest'
import { askOf, NOW, USER } from '../../e2e/support/protocol'
import { MINUTE_MS } from '../base/time'
import type { AuthorizationRequest } from './authorization-request'
import {
  type AtBrowser,
  consentStep,
  needsLogin,
  type PendingConsent,
  provenSince,
  type SignedIn,
  signInStep,
  stepUpHelps,
  wantsStepUp,
} from './interaction'

const OTHER = 'usr_other'

function signedIn(more: Partial<SignedIn> = {}): SignedIn {
  const before = NOW - 10 * MINUTE_MS
  return {
    userId: USER,
    signedInAt: before,
    provenAt: before,
    acr: 'pwd',
    canStepUp: false,
    ...more,
  }
}

function browser(more: Partial<AtBrowser> = {}): AtBrowser {
  return { session: signedIn(), others: [], chosenAt: null, ...more }
}

const NOBODY = browser({ session: null })
const LOGIN = { do: 'login' }
const CHOOSE = { do: 'choose_account' }
const SECOND_FACTOR = { do: 'second_factor' }
const refuse = (word: string) => ({ do: 'refuse', word })

type Row = [
  what: string,
  ask: Partial<AuthorizationRequest>,
  browser: AtBrowser,
  step: object | null,
]

describe('signInStep: is there a session? (OIDC Core §3.1.2.3)', () => {
  test.each<Row>([
    ['nobody is signed in', {}, NOBODY, LOGIN],
    ['somebody is', {}, browser(), null],
    ['nobody, prompt=none (§3.1.2.6)', { prompt: ['none'] }, NOBODY, refuse('login_required')],
    ['somebody, prompt=none', { prompt: ['none'] }, browser(), null],
    ['nobody, prompt=consent', { prompt: ['consent'] }, NOBODY, LOGIN],
    ['prompt=login asks again (§3.1.2.1)', { prompt: ['login'] }, browser(), LOGIN],
    [
      'prompt=login, and they signed in since',
      { prompt: ['login'] },
      browser({ session: signedIn({ signedInAt: NOW, provenAt: NOW }) }),
      null,
    ],
    [
      'prompt=login, through a provider that does not say when',
      { prompt: ['login'] },
      browser({ session: signedIn({ signedInAt: NOW, provenAt: null }) }),
      LOGIN,
    ],
  ])('%s', (_what, ask, at, step) => expect(signInStep(askOf(ask), at)).toEqual(step))
})

describe('signInStep: max_age (OIDC Core §3.1.2.1)', () => {
  const provenAt = (ms: number | null) => browser({ session: signedIn({ provenAt: ms }) })

  test.each<Row>([
    ['not passed', { maxAge: 600 }, provenAt(NOW - 600_000), null],
    ['passed by a millisecond', { maxAge: 600 }, provenAt(NOW - 600_001), LOGIN],
    ['0 is the same as prompt=login', { maxAge: 0 }, provenAt(NOW - 1), LOGIN],
    ['0, proved since', { maxAge: 0 }, provenAt(NOW), null],
    ['nobody says when it was proved', { maxAge: 999_999_999 }, provenAt(null), LOGIN],
    ['not asked for, nobody says when', {}, provenAt(null), null],
    [
      'passed, prompt=none (§3.1.2.6)',
      { maxAge: 1, prompt: ['none'] },
      provenAt(NOW - MINUTE_MS),
      refuse('login_required'),
    ],
  ])('%s', (_what, ask, at, step) => expect(signInStep(askOf(ask), at)).toEqual(step))
})

describe('signInStep: id_token_hint (OIDC Core §3.1.2.2)', () => {
  test.each<Row>([
    ['of this user', { hintedUserId: USER }, browser(), null],
    ['of another, who is not here', { hintedUserId: OTHER }, browser(), LOGIN],
    [
      'of another, who is signed in too',
      { hintedUserId: OTHER },
      browser({ others: [OTHER] }),
      CHOOSE,
    ],
    [
      'of another, prompt=none',
      { hintedUserId: OTHER, prompt: ['none'] },
      browser(),
      refuse('login_required'),
    ],
    [
      'of another, who is signed in too, prompt=none',
      { hintedUserId: OTHER, prompt: ['none'] },
      browser({ others: [OTHER] }),
      refuse('login_required'),
    ],
    ['nobody is signed in', { hintedUserId: USER }, NOBODY, LOGIN],
  ])('%s', (_what, ask, at, step) => expect(signInStep(askOf(ask), at)).toEqual(step))
})

describe('signInStep: several accounts (OIDC Core §3.1.2.1, §3.1.2.6)', () => {
  const two = browser({ others: [OTHER] })
  const chosen = browser({ others: [OTHER], chosenAt: NOW })

  test.each<Row>([
    ['nobody asks which', {}, two, null],
    ['prompt=select_account', { prompt: ['select_account'] }, two, CHOOSE],
    ['prompt=select_account with one account', { prompt: ['select_account'] }, browser(), CHOOSE],
    ['prompt=select_account with none', { prompt: ['select_account'] }, NOBODY, LOGIN],
    [
      'prompt=select_account, the current session is over',
      { prompt: ['select_account'] },
      browser({ session: null, others: [OTHER] }),
      CHOOSE,
    ],
    ['the choice was made', { prompt: ['select_account'] }, chosen, null],
    [
      'they signed in for this request, which is a choice',
      { prompt: ['select_account'] },
      browser({ session: signedIn({ signedInAt: NOW }), others: [OTHER] }),
      null,
    ],
    ['prompt=none', { prompt: ['none'] }, two, refuse('account_selection_required')],
    ['prompt=none, one account', { prompt: ['none'] }, browser(), null],
    ['prompt=none, hint of the session', { prompt: ['none'], hintedUserId: USER }, two, null],
    ['prompt=none, login_hint', { prompt: ['none'], loginHint: 'a@rp.test' }, two, null],
  ])('%s', (_what, ask, at, step) => expect(signInStep(askOf(ask), at)).toEqual(step))
})

describe('signInStep: acr (OIDC Core §5.5.1.1, RFC 9470)', () => {
  const weak = browser()
  const able = browser({ session: signedIn({ canStepUp: true }) })
  const strong = browser({ session: signedIn({ acr: 'phr' }) })
  const unmet = refuse('unmet_authentication_requirements')

  test.each<Row>([
    ['a wish that is met', { acrValues: ['pwd'] }, weak, null],
    ['a wish that can be met', { acrValues: ['mfa'] }, able, SECOND_FACTOR],
    ['a wish that cannot be met is dropped', { acrValues: ['mfa'] }, weak, null],
    ['a wish is dropped in silence', { acrValues: ['mfa'], prompt: ['none'] }, able, null],
    ['a stronger sign-in meets a weaker wish', { acrValues: ['mfa'] }, strong, null],
    ['one of several is enough', { acrValues: ['mfa', 'pwd'] }, weak, null],
    ['a demand that is met', { essentialAcr: ['mfa'] }, strong, null],
    ['a demand that can be met', { essentialAcr: ['mfa'] }, able, SECOND_FACTOR],
    ['a demand that cannot be met', { essentialAcr: ['mfa'] }, weak, unmet],
    ['a demand in silence', { essentialAcr: ['mfa'], prompt: ['none'] }, able, unmet],
    ['a demand that nobody knows', { essentialAcr: ['gold'] }, strong, unmet],
    ['a demand counts before a wish', { essentialAcr: ['pwd'], acrValues: ['phr'] }, able, null],
    ['signing in comes first', { essentialAcr: ['mfa'] }, NOBODY, LOGIN],
  ])('%s', (_what, ask, at, step) => expect(signInStep(askOf(ask), at)).toEqual(step))
})

test.each([
  ['nothing is asked for', {}, null],
  ['prompt=login', { prompt: ['login'] }, NOW],
  ['max_age', { maxAge: 60 }, NOW - MINUTE_MS],
  ['prompt=login is stricter than max_age', { prompt: ['login'], maxAge: 60 }, NOW],
] satisfies [string, Partial<AuthorizationRequest>, number | null][])(
  'provenSince: %s (OIDC Core §3.1.2.1)',
  (_what, ask, since) => expect(provenSince(askOf(ask))).toBe(since),
)

test('needsLogin: nobody, or too long ago', () => {
  expect(needsLogin(askOf(), null)).toBe(true)
  expect(needsLogin(askOf(), signedIn())).toBe(false)
  expect(needsLogin(askOf({ maxAge: 1 }), signedIn())).toBe(true)
})

test.each([
  ['nothing is wanted', {}, null, false, false],
  ['more than there is, and it can be had', { acrValues: ['mfa'] }, 'mfa', true, true],
  ['more than there is, and more than can be had', { acrValues: ['phr'] }, 'mfa', true, false],
  ['more than there is, and nothing is set up', { acrValues: ['mfa'] }, null, true, false],
  ['what is there already', { acrValues: ['pwd'] }, 'mfa', false, true],
] satisfies [string, Partial<AuthorizationRequest>, 'mfa' | 'phr' | null, boolean, boolean][])(
  'a second factor: %s (RFC 9470)',
  (_what, ask, reachable, wants, helps) => {
    expect(wantsStepUp(askOf(ask), { acr: 'pwd' })).toBe(wants)
    expect(stepUpHelps(askOf(ask), reachable)).toBe(helps)
  },
)

describe('consentStep (OIDC Core §3.1.2.4)', () => {
  const consenting = (more: Partial<PendingConsent> = {}): PendingConsent => ({
    undecided: [],
    answeredAt: null,
    everyTime: false,
    ...more,
  })
  const ASK = { do: 'consent' }
  const ISSUE = { do: 'issue' }
  const REQUIRED = refuse('consent_required')

  test.each<[string, Partial<AuthorizationRequest>, PendingConsent, object]>([
    ['everything was agreed to before', {}, consenting(), ISSUE],
    ['a scope that nobody decided about', {}, consenting({ undecided: ['a'] }), ASK],
    [
      'the same, prompt=none (§3.1.2.6)',
      { prompt: ['none'] },
      consenting({ undecided: ['a'] }),
      REQUIRED,
    ],
    ['nothing left, prompt=none', { prompt: ['none'] }, consenting(), ISSUE],
    ['prompt=consent asks again', { prompt: ['consent'] }, consenting(), ASK],
    ['prompt=consent, answered', { prompt: ['consent'] }, consenting({ answeredAt: NOW }), ISSUE],
    [
      'an application that anybody could be (RFC 8252 §8.6)',
      {},
      consenting({ everyTime: true }),
      ASK,
    ],
    ['the same, answered', {}, consenting({ everyTime: true, answeredAt: NOW }), ISSUE],
    ['the same, prompt=none', { prompt: ['none'] }, consenting({ everyTime: true }), REQUIRED],
    [
      'answered, and yet a scope is undecided',
      {},
      consenting({ undecided: ['a'], answeredAt: NOW }),
      ASK,
    ],
  ])('%s', (_what, ask, at, step) => expect(consentStep(askOf(ask), at)).toEqual(step))
})
