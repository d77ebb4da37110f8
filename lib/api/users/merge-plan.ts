import { isDeepStrictEqual } from 'node:util'
import { withoutUndefined } from '../../base/without-undefined'
import { sha256 } from '../../crypto/secrets'
import { type ErrorMessage, errorMessage } from '../../i18n/error-message'
import type { Account, Holdings, MergeFacts, Moving } from '../../store/accounts/merging'
import type { UserFields, UserRecord } from '../../store/accounts/users'
import { foldedKey } from '../../store/database/folded-key'

/** What a merge of two accounts does, decided before it is done. Pure: over what was read. */

// ---------------------------------------------------------------- is it one person?

/** What whoever merges has to confirm, because nothing proves it. */
export const DOUBTS = ['no_shared_address', 'address_not_verified', 'disabled'] as const
type Doubt = (typeof DOUBTS)[number]

export function doubtsAbout({ kept, gone }: Pick<MergeFacts, 'kept' | 'gone'>): Doubt[] {
  const [own, other] = [addressesOf(kept), addressesOf(gone)]
  const shared = [...other].filter(([address]) => own.has(address))
  const isProven = shared.some(([address, verified]) => verified && own.get(address))
  const unverified = shared.length > 0 ? 'address_not_verified' : 'no_shared_address'
  return [
    ...(isProven ? [] : ([unverified] as const)),
    ...(gone.user.disabledAt === null ? [] : (['disabled'] as const)),
  ]
}

/** Folded, with whether it was verified; also as providers report them. */
function addressesOf({ user, holds }: Account): Map<string, boolean> {
  const found = new Map<string, boolean>()
  for (const { email, emailVerified } of [user, ...holds.identities]) {
    if (email === null) continue
    const key = foldedKey(email)
    found.set(key, (found.get(key) ?? false) || emailVerified)
  }
  return found
}

const REASONS: Record<Doubt, ErrorMessage> = {
  no_shared_address: errorMessage('merge_no_shared_address'),
  address_not_verified: errorMessage('merge_address_not_verified'),
  disabled: errorMessage('merge_disabled'),
}

export function reasonOf(doubt: Doubt): ErrorMessage {
  return REASONS[doubt]
}

// ---------------------------------------------------------------- values to choose from

type ChosenField = { name: string; kept: unknown; removed: unknown }

const COLUMNS = ['name', 'email', 'username', 'locale', 'adminRole'] as const
/** It says something about another claim, and goes with it. */
const VERIFIED_PHONE = 'phone_number_verified'

/** Where the account that goes has a value that the other has not. */
export function fieldsToChoose(kept: UserRecord, gone: UserRecord): ChosenField[] {
  const columns = COLUMNS.map((name) => ({ name, kept: kept[name], removed: gone[name] }))
  const members = (['profile', 'attributes'] as const).flatMap((part) =>
    Object.entries(gone[part])
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .filter(([key]) => part !== 'profile' || key !== VERIFIED_PHONE)
      .map(([key, removed]) => ({
        name: `${part}.${key}`,
        kept: kept[part][key] ?? null,
        removed,
      })),
  )
  return [...columns, ...members].filter(
    ({ kept: own, removed }) => removed !== null && !isDeepStrictEqual(own, removed),
  )
}

/** An address or a telephone number comes with whether it is verified. */
export function taken(
  kept: UserRecord,
  gone: UserRecord,
  take: readonly string[],
): Partial<UserFields> {
  const columns = COLUMNS.filter((name) => take.includes(name))
  const part = (name: 'profile' | 'attributes') => {
    const keys = Object.keys(gone[name]).filter((key) => take.includes(`${name}.${key}`))
    const also = name === 'profile' && keys.includes('phone_number') ? [VERIFIED_PHONE] : []
    const values = [...keys, ...also].map((key) => [key, gone[name][key]])
    return keys.length > 0 && withoutUndefined({ ...kept[name], ...Object.fromEntries(values) })
  }
  const [profile, attributes] = [part('profile'), part('attributes')]
  return {
    ...Object.fromEntries(columns.map((name) => [name, gone[name]])),
    ...(columns.includes('email') && { emailVerified: gone.emailVerified }),
    ...(profile && { profile }),
    ...(attributes && { attributes }),
  }
}

// ---------------------------------------------------------------- what moves and what ends

export function movingOf({ kept: { holds: own }, gone: { holds } }: MergeFacts): Moving & {
  groups: Holdings['groups']
} {
  const others = <T extends { id: string }>(
    theirs: readonly T[],
    mine: readonly { id: string }[],
  ) => theirs.filter(({ id }) => !mine.some((one) => one.id === id))
  const given = new Set(own.assignments.map(termsText))
  return {
    identities: holds.identities,
    groups: others(holds.groups, own.groups),
    apis: others(holds.apis, own.apis),
    consents: others(holds.consents, own.consents),
    assignments: holds.assignments.filter((one) => !given.has(termsText(one))),
  }
}

function termsText({ id: _, version: __, role: ___, ...terms }: Holdings['assignments'][number]) {
  return JSON.stringify(terms)
}

export const MOVES = [
  ...(['identities', 'groups', 'roles', 'approvals', 'consents', 'applications'] as const),
  ...(['apis', 'rules'] as const),
] as const
export const ENDS = [
  ...(['password', 'passkeys', 'authenticators', 'requests', 'approved', 'reviewed'] as const),
] as const

type Counted<What extends string> = { what: What; count: number; names: string[] }

const MOST_NAMED = 20

function counted<What extends string>(
  lists: Readonly<Record<What, readonly string[]>>,
): Counted<What>[] {
  return (Object.entries(lists) as [What, readonly string[]][])
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => ({
      what,
      count: names.length,
      names: [...new Set(names)].slice(0, MOST_NAMED),
    }))
}

const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name)

export function movesOf(facts: MergeFacts): Counted<(typeof MOVES)[number]>[] {
  const { holds } = facts.gone
  const moving = movingOf(facts)
  const moves = new Set(moving.assignments.map(({ id }) => id))
  return counted({
    identities: holds.identities.map(({ provider, email }) => `${provider} ${email ?? ''}`.trim()),
    groups: namesOf(moving.groups),
    roles: holds.assignments.filter(({ id }) => moves.has(id)).map(({ role }) => role.name),
    approvals: holds.grants.map(({ pattern }) => pattern),
    consents: namesOf(holds.consents.filter((one) => moving.consents.includes(one))),
    applications: namesOf(holds.applications),
    apis: namesOf(holds.apis.filter((one) => moving.apis.includes(one))),
    rules: namesOf(facts.rules),
  })
}

export function endsOf({ gone: { holds }, entangled }: MergeFacts) {
  return counted<(typeof ENDS)[number]>({
    password: holds.password ? [''] : [],
    passkeys: namesOf(holds.passkeys),
    authenticators: namesOf(holds.totps),
    requests: entangled.waiting.map(({ scope }) => scope),
    approved: entangled.approved.map(({ scope }) => scope),
    reviewed: entangled.reviewed.map(() => ''),
  })
}

/** The same as long as nothing of it changes. */
export function previewOf(facts: MergeFacts): string {
  const { waiting, approved, reviewed } = facts.entangled
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)
  const entangled = { waiting: ids(waiting), approved: ids(approved), reviewed }
  return sha256(JSON.stringify({ ...facts, entangled }))
}
