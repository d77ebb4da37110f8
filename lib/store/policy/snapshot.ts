import type { GrantSet, Holder, Model, User, WhatWasRead } from '../../access/policy'
import type { OwnApi } from '../../access/portal-api'
import type { Credential } from '../../oidc/client'
import type { Snapshot } from '../../oidc/provider'
import type { DatabaseKind, Reader } from '../database/connection'
import { findSettings, hiddenAttributes, type SettingsRow } from '../delivery/settings'
import { loadModel, type PartedModel, renewModel } from './policy'
import {
  type ChangeLog,
  type Changes,
  changesModel,
  readChangeLog,
  readPolicyVersion,
} from './policy-version'
import type { SubjectEntry } from './subjects'

const TRIES = 5

/** The model and the settings as of one policy version: settings cost no query of their own. */
export type ModelSnapshot = { version: number; model: PartedModel; settings: SettingsRow | null }

/** With what was read about some subjects. */
export type PortalSnapshot = Snapshot & { settings: SettingsRow | null }

export type Source = { db: Reader; kind: DatabaseKind; own: OwnApi }

/** A write between two of the reads shows as another version: then they are repeated. */
export async function loadSnapshot({ db, kind, own }: Source): Promise<ModelSnapshot> {
  for (let tries = 1; ; tries += 1) {
    const version = await readPolicyVersion(db)
    const model = await loadModel(db, kind, own)
    const settings = await findSettings(db)
    if (tries === TRIES || (await readPolicyVersion(db)) === version) {
      return { version, model, settings }
    }
  }
}

/** The new snapshot; `changes` is null if everything had to be read again. */
export type RenewedSnapshot = { snapshot: ModelSnapshot; changes: Changes | null }

/**
 * The same snapshot, in which only what was changed since is read again. Under a steady stream of
 * changes the last attempt is used: its version is old, so the next check reads again.
 */
export async function renewSnapshot(
  source: Source,
  old: ModelSnapshot,
  first: ChangeLog,
): Promise<RenewedSnapshot> {
  let log = first
  for (let tries = 1; ; tries += 1) {
    const { version, changes } = log
    if (!changes) return { snapshot: await loadSnapshot(source), changes: null }
    if (!changesModel(changes)) return { snapshot: { ...old, version }, changes }
    const snapshot = await patched(source, old, version, changes)
    log = await readChangeLog(source.db, source.kind, old.version)
    if (tries === TRIES || log.version === version) return { snapshot, changes }
  }
}

/** In which these changes are read again. */
export async function patched(
  { db, kind, own }: Source,
  old: ModelSnapshot,
  version: number,
  changes: Changes,
): Promise<ModelSnapshot> {
  const settings = changes.settings ? await findSettings(db) : old.settings
  const model = changes.model
    ? await loadModel(db, kind, own)
    : await renewModel(db, kind, old.model, changes)
  return { version, model, settings }
}

// ---------------------------------------------------------------- with subjects

/** Throws for a subject that was not read: a decision about it would be wrong. */
class Answers<V> implements WhatWasRead<V> {
  readonly #known: ReadonlyMap<string, V | undefined>

  constructor(known: ReadonlyMap<string, V | undefined>) {
    this.#known = known
  }

  get(id: string): V | undefined {
    const value = this.#known.get(id)
    if (value === undefined && !this.#known.has(id)) throw new Error(`${id} was not read`)
    return value
  }
}

const NOBODY = new Answers<never>(new Map())

/** One decision: the model and these subjects. */
export function withSubjects(
  { version, model, settings }: ModelSnapshot,
  read: readonly (readonly [id: string, entry: SubjectEntry])[],
): PortalSnapshot {
  const hidden = hiddenAttributes(settings)
  const users = new Map<string, User | undefined>()
  const credentials = new Map<string, Credential | undefined>()
  const applications = new Map<string, Holder | undefined>()
  const accessKeyGrants = new Map<string, GrantSet | undefined>()
  for (const [id, entry] of read) {
    if (entry.kind === 'user') {
      users.set(id, entry.user ? readable(entry.user, hidden) : undefined)
      continue
    }
    const { client } = entry
    credentials.set(id, client?.credential ?? undefined)
    if (!applications.has(id)) applications.set(id, undefined)
    if (!client) continue
    applications.set(client.applicationId, client.holder)
    accessKeyGrants.set(id, client.keyGrants)
  }
  const subjects = {
    users: new Answers(users),
    applications: new Answers(applications),
    accessKeyGrants: new Answers(accessKeyGrants),
  }
  return snapshotOf({ version, settings }, model, subjects, new Answers(credentials))
}

/** Without the attributes that conditions must not read. */
function readable(user: User, hidden: ReadonlySet<string>): User {
  const { attributes } = user
  if (hidden.size === 0 || !Object.keys(attributes).some((key) => hidden.has(key))) return user
  const shown = Object.entries(attributes).filter(([key]) => !hidden.has(key))
  return { ...user, attributes: Object.fromEntries(shown) }
}

export function withoutSubjects({ version, model, settings }: ModelSnapshot): PortalSnapshot {
  const subjects = { users: NOBODY, applications: NOBODY, accessKeyGrants: NOBODY }
  return snapshotOf({ version, settings }, model, subjects, NOBODY)
}

function snapshotOf(
  { version, settings }: Pick<PortalSnapshot, 'version' | 'settings'>,
  { items, apisByAudience, roles }: Model,
  { users, applications, accessKeyGrants }: Omit<Snapshot['policy'], keyof Model>,
  credentials: WhatWasRead<Credential>,
): PortalSnapshot {
  const policy = { items, apisByAudience, roles, users, applications, accessKeyGrants }
  return { version, settings, credentials, policy }
}
