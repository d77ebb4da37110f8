import { openAuthorizeEndpoint } from '../../api/registration/authorize'
import { DAY_SECONDS, MINUTE_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { newSecret } from '../../crypto/secrets'
import { DEMO, type Demo } from '../../store/operations/demo'
import { type Browser, open, signIn } from './browser'
import {
  accessKeyFields,
  askToken,
  authorizeUrl,
  codeFor,
  exchangeFields,
  machineFields,
  postApi,
  readApi,
  readUserInfo,
  refreshFields,
  type SignInApp,
  singlePageApp,
  type Tokens,
  tokensFor,
  webApp,
  withToken,
} from './clients'
import { type Day, type Step, seededRandom, timeOn, workdayBy } from './month'
import { beSignedIn, inPerson, mistype, type People, type Person, peopleOf, postAs } from './people'

/**
 * What happens in the thirty days: the daily round of users and machines, a few mistakes, a request
 * for access and a review.
 */

const SERVER = '192.0.2.10'
const LOOPBACK = '127.0.0.1'
const ELSEWHERE = '203.0.113.66'
const SEED = 20_261_118

type Story = { op: Op; demo: Demo }
type Cast = Story & { people: People; random(): number }

export function stepsOf(op: Op, demo: Demo, days: readonly Day[]): Step[] {
  const cast = { op, demo, people: peopleOf(demo), random: seededRandom(SEED) }
  const daily = days.flatMap((day) => [
    ...machineRound(cast, day),
    ...(day.isWorkday ? [...userRound(cast, day), ...checkRound(cast, day)] : []),
  ])
  const once = [...mistakes(cast, days), ...requestStory(cast, days), ...reviewStory(cast, days)]
  return [...daily, ...once].sort((a, b) => a.at - b.at)
}

// ---------------------------------------------------------------- every day

/** Hours of a workday in which the shop is busy; otherwise the machines work every few hours. */
const BUSY = { from: 7, to: 19 }
const REST_HOURS = 5

function machineRound({ op, demo, random }: Cast, day: Day): Step[] {
  const sync = machineFields(demo, 'orders:read orders:write')
  const isBusy = (hour: number) => day.isWorkday && hour >= BUSY.from && hour < BUSY.to
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  return [
    ...hours
      .filter((hour) => isBusy(hour) || hour % REST_HOURS === 0)
      .map((hour) => ({
        at: timeOn(day, hour, random() * 59),
        run: () => tokensFor(op, SERVER, sync),
      })),
    nightlyExport({ op, demo }, day),
    ...(day.index % 3 === 1 ? [refundAttempt({ op, demo }, day)] : []),
  ]
}

/** The grant holds on this machine only; every tenth day the job runs on the wrong one. */
function nightlyExport({ op, demo }: Story, day: Day): Step {
  const ip = day.index % 10 === 4 ? SERVER : LOOPBACK
  const fields = accessKeyFields(demo, 'orders:read orders:export')
  return { at: timeOn(day, 2, 5), run: () => tokensFor(op, ip, fields) }
}

/** It asks for what it was never granted. */
function refundAttempt({ op, demo }: Story, day: Day): Step {
  const fields = machineFields(demo, 'orders:read orders:refund')
  return { at: timeOn(day, 3, 30), run: () => tokensFor(op, SERVER, fields) }
}

const [TUESDAY, WEDNESDAY, FRIDAY] = [2, 3, 5]

/** Each sign-in lasts for the day. Bob signs in to a second application, too, without a page. */
function userRound({ op, demo, people, random }: Cast, day: Day): Step[] {
  const weekday = new Date(day.midnight).getUTCDay()
  const [start, later] = [timeOn(day, 7, 40 + random() * 30), timeOn(day, 8, 30 + random() * 40)]
  const web = webApp(demo)
  const alices = atWork({ op, app: web, person: people.alice }, start, 4)
  if (weekday !== TUESDAY && weekday !== FRIDAY) return weekday === WEDNESDAY ? [] : alices
  return [
    ...alices,
    ...atWork({ op, app: web, person: people.bob }, later, 2),
    ...atWork({ op, app: singlePageApp(demo), person: people.bob }, later + 25 * MINUTE_MS, 0),
  ]
}

type AtWork = { op: Op; app: SignInApp; person: Person }

/** The application gets its tokens once, and new ones before they expire. */
function atWork({ op, app, person }: AtWork, at: number, refreshes: number): Step[] {
  let tokens: Tokens = { accessToken: '', refreshToken: '' }
  const start = async () => {
    await beSignedIn(op, person)
    const code = await codeFor(op, person.browser, app)
    tokens = await tokensFor(op, SERVER, exchangeFields(app, code))
    await readUserInfo(op, SERVER, tokens.accessToken)
  }
  const refresh = async () => {
    tokens = await tokensFor(op, SERVER, refreshFields(app, tokens.refreshToken))
  }
  const later = Array.from({ length: refreshes }, (_, hour) => ({
    at: at + (hour + 1) * 58 * MINUTE_MS,
    run: refresh,
  }))
  return [{ at, run: start }, ...later]
}

/** The orders service asks whether a user may do something. */
function checkRound({ op, demo, random }: Cast, day: Day): Step[] {
  const { alice, bob } = DEMO.ids
  const questions = [
    { user: alice, permission: 'orders:write' },
    { user: bob, permission: 'orders:refund' },
    { user: alice, permission: random() < 0.5 ? 'orders:refund' : 'orders:delete' },
  ]
  return [{ at: timeOn(day, 9 + random() * 8), run: () => check({ op, demo }, questions) }]
}

async function check({ op, demo }: Story, checks: object[]) {
  const tokens = await tokensFor(op, SERVER, machineFields(demo, 'permissions:check'))
  await postApi(op, withToken(SERVER, tokens), '/permissions/check:batch', { checks })
}

// ---------------------------------------------------------------- mistakes

function mistakes(cast: Cast, days: readonly Day[]): Step[] {
  const on = (index: number, hour: number, minute: number, run: Step['run']) => ({
    at: timeOn(workdayBy(days, index), hour, minute),
    run,
  })
  const { op, people } = cast
  return [
    on(2, 7, 35, () => mistype(op, people.alice)),
    on(4, 15, 10, () => wrongRedirect(cast)),
    on(4, 15, 14, () => wrongRedirect(cast)),
    on(8, 10, 2, () => wrongSecret(cast)),
    on(8, 10, 9, () => wrongSecret(cast)),
    on(10, 11, 20, () => withoutChallenge(cast)),
    ...[0, 1, 2, 3].map((minute) => on(12, 3, minute, () => guessPassword(cast))),
    on(14, 14, 40, () => usedTwice(cast)),
    on(16, 8, 25, () => mistype(op, people.bob)),
    on(21, 16, 5, () => wrongScope(cast)),
    on(24, 13, 30, () => endedToken(cast)),
    on(26, 7, 35, () => mistype(op, people.alice)),
  ]
}

/** A test server whose address is not registered. */
function wrongRedirect({ op, demo, people }: Cast) {
  const app = { ...webApp(demo), redirectUri: 'http://localhost:4010/callback' }
  return open(op, openAuthorizeEndpoint, people.alice.browser, authorizeUrl(app))
}

/** A deployment with the secret of another one. */
function wrongSecret({ op, demo }: Cast) {
  const fields = { ...webApp(demo), secret: newSecret('ghcs') }
  return askToken(op, SERVER, refreshFields(fields, newSecret('ghrt')))
}

function withoutChallenge({ op, demo, people }: Cast) {
  return open(op, openAuthorizeEndpoint, people.bob.browser, authorizeUrl(singlePageApp(demo)))
}

async function guessPassword({ op, people }: Cast) {
  const browser: Browser = { ip: ELSEWHERE, userAgent: 'curl/8.9.1', cookies: new Map() }
  await signIn(op, browser, { email: people.ada.login.email, password: 'Summer holidays 2026' })
}

/** The code is sent again, so the tokens from it end. */
async function usedTwice({ op, demo, people }: Cast) {
  const app = webApp(demo)
  await beSignedIn(op, people.alice)
  const fields = exchangeFields(app, await codeFor(op, people.alice.browser, app))
  await tokensFor(op, SERVER, fields)
  await askToken(op, SERVER, fields)
}

function wrongScope({ op, demo }: Cast) {
  return askToken(op, SERVER, machineFields(demo, 'orders:refund orders:delete'))
}

/** A refresh token that the portal does not know. */
function endedToken({ op, demo }: Cast) {
  return askToken(op, SERVER, refreshFields(webApp(demo), newSecret('ghrt')))
}

// ---------------------------------------------------------------- a request and a review

const RULE = {
  api: 'orders',
  name: 'Exports for reports',
  patterns: ['orders:export'],
  maxSeconds: 21 * DAY_SECONDS,
  stages: [{ approvers: [DEMO.ids.bob, DEMO.ids.admin].map((id) => ({ type: 'user', id })) }],
}

/** Alice asks for an export, Bob approves, and an application uses it for her. */
function requestStory({ op, demo, people }: Cast, days: readonly Day[]): Step[] {
  const [before, day] = [workdayBy(days, 15), workdayBy(days, 19)]
  const asked = { scope: 'orders:export', reason: 'Figures for the report of this quarter' }
  const agreed = { reason: 'Agreed, until the report is done' }
  const exports = { ...webApp(demo), scope: 'openid orders:read orders:export' }
  let request = ''
  return [
    { at: timeOn(before, 10), run: () => postAs(op, people.ada, '/request-rules', RULE) },
    {
      at: timeOn(day, 9, 12),
      async run() {
        request = String((await postAs(op, people.alice, '/access-requests', asked)).id)
      },
    },
    {
      at: timeOn(day, 10, 47),
      run: () => postAs(op, people.bob, `/access-requests/${request}/approval`, agreed),
    },
    ...atWork({ op, app: exports, person: people.alice }, timeOn(day, 11, 20), 0),
  ]
}

// What is not decided by then is removed, and a demo may be open for weeks.
const DEADLINE_DAYS = 60
const KEPT = { decision: 'keep', comment: 'Works at the counter every day' }

/** Ada has the roles of the shop reviewed, and has decided about Alice. */
function reviewStory({ op, people }: Cast, days: readonly Day[]): Step[] {
  const [start, end] = [workdayBy(days, 26), workdayBy(days, 27)]
  const deadline = new Date(timeOn(start, 9) + DEADLINE_DAYS * DAY_SECONDS * 1000).toISOString()
  const reviewers = [{ type: 'user', id: DEMO.ids.admin }]
  const over = { type: 'space', id: DEMO.ids.space }
  const review = { name: 'Roles of the demo shop', over, reviewers, deadline }
  let id = ''
  return [
    {
      at: timeOn(start, 9),
      async run() {
        id = String((await postAs(op, people.ada, '/reviews', review)).id)
      },
    },
    {
      at: timeOn(end, 9, 30),
      async run() {
        const items = await readApi(op, await inPerson(op, people.ada), `/reviews/${id}/items`)
        const item = itemOf(items.data, DEMO.ids.alice)
        await postAs(op, people.ada, `/reviews/${id}/decisions`, { decisions: [{ item, ...KEPT }] })
      },
    },
  ]
}

function itemOf(data: unknown, userId: string): string {
  const items = Array.isArray(data) ? data : []
  return items.find(({ subject }) => subject.id === userId)?.id ?? ''
}
