import { z } from 'zod'
import type { Assignment, GrantSet, Holder, Policy, User, WhatWasRead } from '../../access/policy'
import { forgetOldest } from '../../base/forget-oldest'
import { onceFor } from '../../base/once-for'
import type { Op } from '../../context/op'
import { sha256 } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import type { Credential } from '../../oidc/client'
import type { Snapshot } from '../../oidc/provider'
import { acceptedClients } from '../../settings/accepted-clients'
import { keyScopesOf } from '../../store/applications/access-keys'
import { findSettings, hiddenAttributes, type SettingsRow } from '../../store/delivery/settings'
import { subjectsIn } from '../../store/permissions/assignments'
import type { Changes } from '../../store/policy/policy-version'
import { applyConfiguration } from '../configuration/apply'
import type { AppliedBy } from '../configuration/operator'
import { asProblem } from '../configuration/routes'
import { type Configuration, configurationSchema } from '../configuration/schema'
import { type Caller, requireScopes } from '../http/caller'
import { invalidField, Problem } from '../http/problem'
import { idSchema } from '../http/schemas'
import { type Change, changeSchema, type Preview, previewOf } from '../impact/change'
import { requireSpace } from '../permissions/spaces'

/**
 * A draft of the policy: changes as in the impact preview, a file for `apply`, or both. The policy
 * in use is not touched.
 */

const MAX_CHANGES = 50
/** Users and applications that a file changes one by one; roles and APIs do not count. */
const MAX_SUBJECTS = 5_000

export const draftShape = {
  space: idSchema.optional().describe('The space of the roles that `changes` name by key'),
  changes: z.array(changeSchema).max(MAX_CHANGES).default([]),
  file: configurationSchema.optional().describe('A file for `npm run apply`'),
}

type DraftInput = {
  space?: string | undefined
  changes: Change[]
  file?: Configuration | undefined
}

/** What a decision reads, in one version of the policy. */
export type DraftSnapshot = Pick<Snapshot, 'policy' | 'credentials'> & {
  /** Conditions can read attributes of users that they cannot read today. */
  readsMore?: boolean
}
export type Draft = { after(before: DraftSnapshot): DraftSnapshot }

/** `env`: the variables that a file may take secrets from; null if the file was sent. */
export type DraftedBy = AppliedBy & { env: NodeJS.ProcessEnv | null }

export async function draftOf(op: Op, input: DraftInput, by: DraftedBy): Promise<Draft> {
  const file = input.file === undefined ? null : await knownFile(op, input.file, by)
  const changes = await Promise.all(input.changes.map((change) => changeOf(op, input, change)))
  return {
    after(before) {
      const start = file ? file.after(before) : before
      return { ...start, policy: changes.reduce((known, after) => after(known), start.policy) }
    },
  }
}

/** A preview looks only at members of the group; a replay looks at everybody. */
async function changeOf(op: Op, input: DraftInput, change: Change): Promise<Preview['after']> {
  const { after } = await previewOf(op, await spaceFor(op, input, change), change)
  if (change.kind !== 'assign' || change.subject.type !== 'group') return after
  const members = new Set(await membersOf(op, change.subject.id))
  if (members.size > MAX_SUBJECTS) throw tooMuch()
  return (before) => {
    const changed = after(before)
    const get = (id: string) => (members.has(id) ? changed : before).users.get(id)
    return { ...changed, users: { get } }
  }
}

const WITHOUT_SPACE: readonly Change['kind'][] = [
  'application_grants',
  'adjust_application',
  'change_assignment',
  'unassign',
]

/** A role that is named by its ID needs no space. */
async function spaceFor(op: Op, { space }: DraftInput, change: Change): Promise<string> {
  if (WITHOUT_SPACE.includes(change.kind)) return ''
  if (space !== undefined) return (await requireSpace(op, space)).id
  const { policy } = await op.snapshot()
  const role = 'role' in change ? policy.roles.get(change.role) : undefined
  if (!role) throw invalidField('/space', errorMessage('required'))
  return role.spaceId
}

// ---------------------------------------------------------------- a file

const KEPT_DRAFTS = 4
const draftsOf = onceFor((_portal: Op['config']) => new Map<string, Promise<Draft>>())

/** A replay comes in parts, and each sends the file: it is applied and taken back once. */
async function knownFile(op: Op, file: Configuration, by: DraftedBy): Promise<Draft> {
  if (by.env === null) requireScopes(op, by.caller, ['settings:write'])
  const { version } = await op.latestSnapshot()
  const drafts = draftsOf(op.config)
  const key = `${version} ${whoIs(by.caller)} ${sha256(JSON.stringify(file))}`
  const known = drafts.get(key)
  if (known) return known
  const made = draftOfFile(op, file, by)
  drafts.set(key, made)
  made.catch(() => drafts.delete(key))
  if (drafts.size > KEPT_DRAFTS) forgetOldest(drafts)
  return made
}

/** With everything that a change of the file is allowed by. */
function whoIs({ kind, id, scopes, adminRole, ownOnly, through, session }: Caller): string {
  const client = through?.clientId ?? null
  return JSON.stringify([kind, id, adminRole, ownOnly, client, session, [...scopes].sort()])
}

async function draftOfFile(op: Op, file: Configuration, by: DraftedBy): Promise<Draft> {
  const settings = await op.read(findSettings)
  let draft: Draft | null = null
  const look = async (inside: Op, changes: Changes | null) => {
    if (!changes) throw tooMuch()
    const made = changes.settings ? await inside.read(findSettings) : settings
    draft = withSettings(op, await overlay(inside, changes), settings, made)
  }
  const { env, ...appliedBy } = by
  await applyConfiguration(op, file, { env, dryRun: true, by: appliedBy, look }).catch(asProblem)
  return draft ?? { after: (before) => before }
}

/** Which clients are accepted, and which attributes conditions can read: for everybody. */
function withSettings(
  op: Op,
  draft: Draft,
  before: SettingsRow | null,
  settings: SettingsRow | null,
): Draft {
  const accepted = acceptedClients<DraftSnapshot & { settings: SettingsRow | null }>(
    op.settings.settingsOf,
  )
  const [hid, hides] = [hiddenAttributes(before), hiddenAttributes(settings)]
  const hidden = new Set([...hides].filter((key) => !hid.has(key)))
  const readsMore = [...hid].some((key) => !hides.has(key))
  return {
    after(today) {
      const seen = draft.after(today)
      const { credentials } = accepted({ ...seen, settings })
      const users = withoutAttributes(seen.policy.users, hidden)
      return { credentials, policy: { ...seen.policy, users }, readsMore }
    },
  }
}

function withoutAttributes(
  users: WhatWasRead<User>,
  hidden: ReadonlySet<string>,
): WhatWasRead<User> {
  if (hidden.size === 0) return users
  return {
    get(id) {
      const user = users.get(id)
      const shown = Object.entries(user?.attributes ?? {}).filter(([key]) => !hidden.has(key))
      return user && { ...user, attributes: Object.fromEntries(shown) }
    },
  }
}

function tooMuch(): Problem {
  return new Problem(
    'invalid',
    errorMessage('replay_draft_large', { maximum: String(MAX_SUBJECTS) }),
  )
}

/**
 * The model as the file leaves it, and the users and clients that it changes. Everything is read
 * inside the transaction: SQLite lets nobody else read through the same connection meanwhile.
 */
async function overlay(inside: Op, changes: Changes): Promise<Draft> {
  const users = await usersIn(inside, changes)
  const clients = await clientsIn(inside, changes)
  if (users.size + clients.size > MAX_SUBJECTS) throw tooMuch()
  const seen = await inside.snapshot({ users: [...users], clients: [...clients] })
  const kept = {
    users: takenFrom<User>(seen.policy.users, users),
    applications: takenFrom<Holder>(seen.policy.applications, clients),
    keys: takenFrom<GrantSet>(seen.policy.accessKeyGrants, clients),
    credentials: takenFrom<Credential>(seen.credentials, clients),
  }
  const { items, apisByAudience, roles } = seen.policy
  const after = ({ policy, credentials }: DraftSnapshot): DraftSnapshot => ({
    credentials: laidOver(credentials, kept.credentials, (one) => unlessOf(changes, one)),
    policy: {
      items,
      apisByAudience,
      roles,
      users: laidOver(policy.users, kept.users, (user) => outsideGroups(changes, user)),
      applications: laidOver(policy.applications, kept.applications),
      accessKeyGrants: laidOver(policy.accessKeyGrants, kept.keys),
    } satisfies Policy,
  })
  return { after }
}

type Taken<V> = ReadonlyMap<string, V | undefined>

function takenFrom<V>(read: WhatWasRead<V>, ids: ReadonlySet<string>): Taken<V> {
  return new Map([...ids].map((id) => [id, orNothing(read, id)]))
}

/** A client that the file removes was not read with its grants. */
function orNothing<V>(read: WhatWasRead<V>, id: string): V | undefined {
  try {
    return read.get(id)
  } catch {
    return undefined
  }
}

function laidOver<V>(
  below: WhatWasRead<V>,
  above: Taken<V>,
  become: (one: V) => V | undefined = (one) => one,
): WhatWasRead<V> {
  return {
    get(id) {
      if (above.has(id)) return above.get(id)
      const one = below.get(id)
      return one === undefined ? undefined : become(one)
    },
  }
}

/** An access key of a changed application that was not read there is gone. */
function unlessOf({ applications }: Changes, one: Credential): Credential | undefined {
  return applications.has(one.application.id) ? undefined : one
}

/** Who was not read as a member of a changed group is none any more. */
function outsideGroups({ groups }: Changes, user: User): User {
  const isLeft = ({ groupId }: Assignment) => groupId !== null && groups.has(groupId)
  if (groups.size === 0 || !user.assignments.some(isLeft)) return user
  return { ...user, assignments: user.assignments.filter((one) => !isLeft(one)) }
}

async function usersIn(inside: Op, { users, groups }: Changes): Promise<Set<string>> {
  const all = new Set(users.keys())
  for (const group of groups.keys()) {
    for (const id of await membersOf(inside, group)) all.add(id)
    if (all.size > MAX_SUBJECTS) throw tooMuch()
  }
  return all
}

function membersOf(op: Op, group: string): Promise<string[]> {
  const source = { of: 'users', group } as const
  return op.read((db) => subjectsIn(db, source, '', MAX_SUBJECTS + 1))
}

/** Applications with their access keys. */
async function clientsIn(inside: Op, { applications }: Changes): Promise<Set<string>> {
  const ids = [...applications.keys()]
  const keys = await inside.read((db) => keyScopesOf(db, ids))
  return new Set([...ids, ...keys.map(({ id }) => id)])
}
