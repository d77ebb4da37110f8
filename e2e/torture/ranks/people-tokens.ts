import { isPortalScope } from '../../../lib/access/portal-api'
import type { OldBrowser } from '../../support/old-browser'
import type { Hands } from './hands'
import { scopesInPerson } from './model-ceiling'
import type { ConsentFacts, Facts, PersonToken } from './model-facts'
import { NotThere } from './names'
import type { ClientInHand } from './principals'
import { introspect } from './wire'

/** Tokens of people, what they said about the applications that have them, and what is left of them. */

export type UserToken = {
  name: string
  application: string
  /** Null for one that cannot prove who it is. */
  client: ClientInHand | null
  user: string
  scopes: string[]
  text: string
  /** Which of the portal's two addresses it is for. */
  at: 'api' | 'mcp'
  /** That it was exchanged for. */
  parent: UserToken | null
  ended: boolean
}

export type Word = { paused: boolean; refused: Set<string> }

const wordKey = (user: string, application: string) => `${user} ${application}`

export function wordAbout({ words }: Hands, user: string, application: string): Word {
  const key = wordKey(user, application)
  const known = words.get(key) ?? { paused: false, refused: new Set<string>() }
  words.set(key, known)
  return known
}

/** From the token itself to the one that the person agreed to. */
export function lineOf(token: UserToken): UserToken[] {
  return token.parent === null ? [token] : [token, ...lineOf(token.parent)]
}

export function saidAbout(hands: Hands, token: UserToken): ConsentFacts {
  const line = lineOf(token)
  const word = ({ user, application }: UserToken) => wordAbout(hands, user, application)
  const isOver = (one: UserToken) => one.ended || word(one).paused
  const isEmpty = (one: UserToken) =>
    one.scopes.length > 0 && one.scopes.every((scope) => word(one).refused.has(scope))
  const ends = [token, line.at(-1) ?? token]
  return {
    no: line.some((one) => isOver(one) || isEmpty(one)),
    refused: ends.flatMap((one) => [...word(one).refused]),
  }
}

/** At the portal itself a token does no more than its person, whatever else it names. */
function meant({ user, scopes }: UserToken, { people }: Facts): string[] {
  const role = people.find(({ id }) => id === user)?.adminRole ?? null
  const theirs = scopesInPerson(role)
  return scopes.filter((scope) => !isPortalScope(scope) || theirs.includes(scope))
}

export function effectiveScopes(hands: Hands, token: UserToken, now: Facts): Set<string> {
  const { no, refused } = saidAbout(hands, token)
  const person = now.people.find(({ id }) => id === token.user)
  if (no || !person?.enabled) return new Set()
  const own = meant(token, now).filter(isPortalScope)
  return new Set(own.filter((one) => !refused.includes(one)))
}

export async function looked(
  hands: Hands,
  token: UserToken,
  now: Facts,
  proofOf: (client: ClientInHand) => Promise<Record<string, string>>,
): Promise<PersonToken> {
  const { application, user, parent, client, text } = token
  const proof = client && (await proofOf(client))
  const answer = proof && (await introspect(hands.stage.origin, { ...proof, token: text }))
  const active: string[] = answer?.json?.active === true ? answer.json.scope.split(' ') : []
  return {
    application,
    scopes: meant(token, now),
    user,
    active,
    said: saidAbout(hands, token),
    ...(parent && { from: parent.application }),
  }
}

/** The person whose token it is, at the portal's own pages. */
export function browserOf({ stage, world, sessions }: Hands, user: string): OldBrowser {
  if (user === world.names.get('users/owner')) return stage.victim
  const session = sessions.find((one) => one.user === user)
  if (!session) throw new NotThere(user)
  return session.browser
}

export function tokenNamed({ userTokens }: Hands, name: string): UserToken {
  const found = userTokens.find((one) => one.name === name)
  if (!found) throw new NotThere(name)
  return found
}
