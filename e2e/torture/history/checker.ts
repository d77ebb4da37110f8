import { answered, type Entry } from './log'
import { type Change, possible } from './possible'

/**
 * Pure: is there any order of what happened that keeps every promise? Each rule gives the sentences
 * about what breaks it.
 */

export type Promises = {
  /** How long a change may take to be seen everywhere. */
  staleMs: number
  /** REFRESH_REPLAY_SECONDS */
  replayMs: number
}

type Rule = (history: readonly Entry[], promises: Promises) => string[]

/** RFC 7009: nothing that started after it was answered says otherwise. */
const revokedStaysRevoked: Rule = (history) => {
  const lineage = lineageOf(history)
  return answered(history, 'revoke').flatMap(({ token: revoked, end }) => {
    const grant = lineage.grantOfRefresh.get(revoked)
    const isDead = (access: string) =>
      access === revoked || (grant !== undefined && lineage.grantOfAccess.get(access) === grant)
    const active = answered(history, 'introspect').filter(
      (asked) => asked.active && asked.start > end && isDead(asked.token),
    )
    const renewed = answered(history, 'refresh').filter(
      ({ token, given, start }) =>
        given !== null && start > end && grant !== undefined && isOf(lineage, token, grant),
    )
    return [
      ...active.map(({ token, start }) => `${token} active at ${start}, revoked at ${end}`),
      ...renewed.map(({ token, start }) => `${token} refreshed at ${start}, revoked at ${end}`),
    ]
  })
}

/** Attack E7. */
const codesOnce: Rule = (history) => {
  const won = answered(history, 'exchange').filter(({ given }) => given !== null)
  return repeated(won.map(({ code }) => code)).map((code) => `${code} was exchanged twice`)
}

/**
 * Attacks F2, F13: one successor each, one predecessor each, and no successor at all once it is
 * late.
 */
const refreshChainsArePaths: Rule = (history, { replayMs }) => {
  const won = answered(history, 'refresh').flatMap(({ given, ...entry }) =>
    given === null ? [] : [{ ...entry, next: given.refresh }],
  )
  const steps = [...new Map(won.map(({ token, next }) => [`${token} ${next}`, { token, next }]))]
  const pairs = steps.map(([, pair]) => pair)
  const late = won.filter(({ token, start }) =>
    won.some((first) => first.token === token && start > first.end + replayMs),
  )
  return [
    ...repeated(pairs.map(({ token }) => token)).map((token) => `${token} has two successors`),
    ...repeated(pairs.map(({ next }) => next)).map((next) => `${next} has two predecessors`),
    ...late.map(({ token, start }) => `${token} was taken again at ${start}, too late`),
  ]
}

/** Nothing that started more than the promised second later decides by the old one. */
const rolesAreSeen: Rule = (history, { staleMs }) =>
  answered(history, 'check').flatMap(({ user, allowed, start, end }) => {
    const values = possible(changesOf(history, 'role', user), false, start - staleMs, end)
    return values.has(allowed) ? [] : [`${user} was ${allowed ? '' : 'not '}allowed at ${start}`]
  })

const disabledUsersGetNothing: Rule = (history, { staleMs }) =>
  [...answered(history, 'exchange'), ...answered(history, 'refresh')].flatMap(
    ({ op, user, given, start, end }) => {
      if (given === null) return []
      const enabled = possible(changesOf(history, 'user', user), true, start - staleMs, end)
      return enabled.has(true) ? [] : [`${op} for ${user} at ${start}, who was disabled`]
    },
  )

/** Whoever is enabled again begins anew: what they held before stays dead. */
const disablingKillsTokens: Rule = (history, { staleMs }) => {
  const issued = [...answered(history, 'exchange'), ...answered(history, 'refresh')]
  const introspected = answered(history, 'introspect').filter(({ active }) => active)
  return answered(history, 'user')
    .filter(({ on }) => !on)
    .flatMap(({ name, start, end }) => {
      const before = issued.filter((entry) => entry.user === name && entry.end < start)
      const tokens = new Set(before.flatMap(({ given }) => given?.access ?? []))
      return introspected
        .filter((asked) => asked.start > end + staleMs && tokens.has(asked.token))
        .map((asked) => `${asked.token} of ${name} active at ${asked.start}, disabled at ${end}`)
    })
}

/** Both ways: a disabled one gets nothing, an enabled one is not refused. */
const applicationsAreSeen: Rule = (history, { staleMs }) =>
  answered(history, 'issue').flatMap(({ app, token, start, end }) => {
    const enabled = possible(changesOf(history, 'app', app), true, start - staleMs, end)
    if (enabled.has(token !== null)) return []
    return [`${app} ${token === null ? 'was refused' : 'got a token'} at ${start}`]
  })

const disabledApplicationsAreInactive: Rule = (history, { staleMs }) => {
  const owners = new Map(answered(history, 'issue').map(({ token, app }) => [token, app]))
  return answered(history, 'introspect').flatMap(({ token, active, start, end }) => {
    const app = owners.get(token)
    if (!active || app === undefined) return []
    const enabled = possible(changesOf(history, 'app', app), true, start - staleMs, end)
    return enabled.has(true) ? [] : [`${token} of ${app} active at ${start}, which was disabled`]
  })
}

export const RULES: Record<string, Rule> = {
  'revoked stays revoked': revokedStaysRevoked,
  'one success per code': codesOnce,
  'refresh chains are paths': refreshChainsArePaths,
  'role changes are seen within the second': rolesAreSeen,
  'disabled users get no tokens': disabledUsersGetNothing,
  'tokens from before a user was disabled stay dead': disablingKillsTokens,
  'disabled applications get no tokens, enabled ones do': applicationsAreSeen,
  'tokens of disabled applications are not active': disabledApplicationsAreInactive,
}

type Lineage = { grantOfAccess: Map<string, string>; grantOfRefresh: Map<string, string> }

/** A grant is named by the code that it came from. */
function lineageOf(history: readonly Entry[]): Lineage {
  const lineage: Lineage = { grantOfAccess: new Map(), grantOfRefresh: new Map() }
  for (const { code, given } of answered(history, 'exchange')) {
    if (!given) continue
    lineage.grantOfAccess.set(given.access, code)
    lineage.grantOfRefresh.set(given.refresh, code)
  }
  const renewals = answered(history, 'refresh').toSorted((a, b) => a.end - b.end)
  for (const { token, given } of renewals) {
    const grant = lineage.grantOfRefresh.get(token)
    if (!given || grant === undefined) continue
    lineage.grantOfAccess.set(given.access, grant)
    lineage.grantOfRefresh.set(given.refresh, grant)
  }
  return lineage
}

function isOf({ grantOfRefresh }: Lineage, token: string, grant: string): boolean {
  return grantOfRefresh.get(token) === grant
}

function changesOf(history: readonly Entry[], op: 'role' | 'user' | 'app', name: string): Change[] {
  return history.flatMap((entry) =>
    entry.op === op && entry.name === name
      ? [{ on: entry.on, start: entry.start, end: entry.end }]
      : [],
  )
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(values.filter((value) => seen.has(value) || !seen.add(value)))]
}
