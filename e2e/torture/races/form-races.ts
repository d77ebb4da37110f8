import { newSetUpLink } from '../../../lib/accounts/set-up'
import type { Fields } from '../../support/ask'
import { authorizeUrl, webRequest } from '../../support/flow'
import { OldBrowser } from '../../support/old-browser'
import type { Arena, Pair } from '../arena'
import {
  type EnrolledPerson,
  enrol,
  newPerson,
  newResetLink,
  PASSWORD,
  recoveryCodeOf,
  signedIn,
} from '../people'
import { type Bout, oneWins, RACERS, type Race, refused, summary } from './race'
import { formShot, pageWords, spread } from './shots'

/** What pages take once: links, codes of a second factor, guesses at a password. */

/** Attack M13. */
export const resetRace: Race = {
  name: 'reset link',
  async prepare(pair) {
    const person = await newPerson(pair.op)
    const browser = new OldBrowser(pair.front.origin)
    const page = await browser.open(`/reset?token=${await newResetLink(pair.op, person)}`)
    const shot = (at: number) => formShot(browser, page, { password: `${PASSWORD} ${at}` })
    const shots = await Promise.all(Array.from({ length: RACERS }, (_, at) => shot(at)))
    return {
      shots: spread(pair, RACERS, (at) => required(shots[at])),
      async judge(answers, tally) {
        const words = answers.map(pageWords)
        oneWins(tally, words, '303 /reset/done', ['200 This link no longer works'])
        const password = `${PASSWORD} ${words.indexOf('303 /reset/done')}`
        const home = new OldBrowser(pair.front.origin)
        await home.signIn(await home.open('/login'), { email: person.email, password })
        tally.check(home.cookies.has('gatehouse.session'), 'the winner’s password is not the one')
      },
    }
  },
}

/** Attack M6: with one step of the clock. */
export const totpRace: Race = {
  name: 'TOTP step',
  prepare: (pair, arena) =>
    factorBout(pair, arena, async ({ totp }) => () => ({ code: totp.generate() })),
}

/** Attack M6. */
export const recoveryRace: Race = {
  name: 'recovery code',
  prepare: (pair, arena) =>
    factorBout(pair, arena, async (person) => {
      const recovery = await recoveryCodeOf(pair.op, person)
      return () => ({ recovery })
    }),
}

const BROWSERS = 5
const TRIES = 5
const IN = '303 /login/continue'
const WRONG = /^[24]\d\d This (recovery )?code isn’t right or was already used/
const EXPIRED = /^(200|400|429) This request has expired$/

/** Browsers of one person, all asked for more than the password, all with the same answer. */
async function factorBout(
  pair: Pair,
  arena: Arena,
  prepareAnswer: (person: EnrolledPerson) => Promise<() => Fields>,
): Promise<Bout> {
  const person = await enrol(pair.op, await newPerson(pair.op))
  const answer = await prepareAnswer(person)
  const asked = webRequest(pair.front.demo(), { scope: 'openid', acr_values: 'mfa' })
  const all = await Promise.all(
    Array.from({ length: BROWSERS }, async () => {
      const browser = await signedIn(pair.op, person)
      return { browser, page: await browser.open(authorizeUrl(asked)) }
    }),
  )
  const typed = answer()
  const shots = await Promise.all(
    all.map(({ browser, page }) => formShot(browser, page, { ...typed })),
  )
  const browserAt = (at: number) => Math.floor(at / 2) % BROWSERS
  const slow = `${refused(arena, 429)} Too many wrong codes. Please wait`
  return {
    shots: spread(pair, RACERS, (at) => required(shots[browserAt(at)])),
    judge(answers, tally) {
      const words = answers.map((answer) => headOf(pageWords(answer), [slow]))
      const wrong = words.filter((word) => WRONG.test(word))
      const won = browserAt(words.indexOf(IN))
      // Whoever won has a new cookie: what else their browser sent with the old one is nobody's.
      const known = words.filter((word, at) => browserAt(at) !== won || !EXPIRED.test(word))
      oneWins(tally, known, IN, [...new Set(wrong), slow])
      const looked = words.length - words.filter((word) => word === slow).length
      tally.check(wrong.length <= TRIES, `${wrong.length} wrong ones: ${summary(words)}`)
      tally.check(looked > 0, `nobody was looked at: ${summary(words)}`)
    },
  }
}

/** Attack M29: two links, as two processes print them at their start, and one first admin. */
export const setUpRace: Race = {
  name: 'set-up link',
  async prepare(pair) {
    const { db } = pair.op
    await db.setting.deleteMany({ where: { key: 'setup_completed' } })
    await db.user.deleteMany({})
    const browser = new OldBrowser(pair.front.origin)
    const shots = await Promise.all(
      [0, 1].map(async () => {
        const page = await browser.open((await newSetUpLink(pair.op)) ?? '')
        return formShot(browser, page, {
          name: 'Ann',
          email: 'ann@example.org',
          password: PASSWORD,
        })
      }),
    )
    return {
      shots: spread(pair, RACERS, (at) => required(shots[Math.floor(at / 2) % shots.length])),
      async judge(answers, tally) {
        const closed = '200 This set-up link no longer works'
        oneWins(tally, answers.map(pageWords), '303 /setup/protect', [closed])
        const admins = await db.user.count({ where: { adminRole: 'owner' } })
        tally.check(admins === 1, `${admins} first admins`)
      },
    }
  },
}

const GUESSES = 10

/** Attack M3: ten guesses at one name are looked at, and then not even the right one. */
export const loginRace: Race = {
  name: 'login counter',
  async prepare(pair, arena) {
    const { email } = await newPerson(pair.op)
    const browser = new OldBrowser(pair.front.origin)
    const page = await browser.open(`/login?${new URLSearchParams({ identifier: email })}`)
    const typed = { identifier: email, password: 'not the password at all' }
    const shot = await formShot(browser, page, typed)
    const isNode = arena.host === 'node'
    const mismatch = isNode ? '400 Check both and try again.' : '303 /login mismatch'
    const slow = isNode ? '429 Please wait' : '303 /login slow_down'
    return {
      shots: spread(pair, RACERS, () => shot),
      async judge(answers, tally) {
        const words = answers.map((answer) => headOf(pageWords(answer), [mismatch, slow]))
        const looked = words.filter((word) => word === mismatch).length
        tally.check(looked === GUESSES, `${looked} guesses were looked at: ${summary(words)}`)
        for (const word of words) {
          tally.check([mismatch, slow].includes(word), `somebody was told: ${word}`)
        }
        await browser.submit(page, { identifier: email, password: PASSWORD })
        tally.check(!browser.cookies.has('gatehouse.session'), 'a locked account was entered')
      },
    }
  },
}

/** How long to wait may differ by a second. */
function headOf(words: string, known: string[]): string {
  return known.find((head) => words.startsWith(head)) ?? words
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing to send')
  return value
}
