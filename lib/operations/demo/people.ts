import type { Op } from '../../context/op'
import type { Demo } from '../../store/operations/demo'
import { type Browser, isSignedIn, type Login, pageHeaders, signIn } from './browser'
import { type ApiUser, postApi } from './clients'

/** The users of the sample data, each at a browser. The addresses are for documentation (RFC 5737). */

export type Person = { login: Login; browser: Browser }

export type People = { ada: Person; alice: Person; bob: Person }

const OFFICE = '198.51.100.20'
const AGENTS = {
  ada: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  alice: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
  bob: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
}

export function peopleOf({ admin, users }: Demo): People {
  const [alice, bob] = users
  if (!alice || !bob) throw new Error('the sample data has no users')
  const at = (login: Login, userAgent: string): Person => ({
    login,
    browser: { ip: OFFICE, userAgent, cookies: new Map() },
  })
  return { ada: at(admin, AGENTS.ada), alice: at(alice, AGENTS.alice), bob: at(bob, AGENTS.bob) }
}

/** As often as the session has ended. */
export async function beSignedIn(op: Op, { login, browser }: Person): Promise<void> {
  if (await isSignedIn(op, browser)) return
  if (!(await signIn(op, browser, login))) throw new Error(`${login.email} could not sign in`)
}

/** A password that is not theirs. */
export function mistype(op: Op, { login, browser }: Person): Promise<boolean> {
  return signIn(op, browser, { ...login, password: `${login.email} mistyped` })
}

/** On the pages of the portal. */
export async function inPerson(op: Op, person: Person): Promise<ApiUser> {
  await beSignedIn(op, person)
  return { ip: person.browser.ip, headers: pageHeaders(person.browser) }
}

export async function postAs(op: Op, person: Person, path: string, body: object) {
  return postApi(op, await inPerson(op, person), path, body)
}
