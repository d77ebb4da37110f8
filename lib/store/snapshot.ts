import type { OwnApi } from '../access/portal-api'
import type { Credential } from '../oidc/client'
import type { Snapshot } from '../oidc/provider'
import type { Reader } from './connection'
import { loadCredentials } from './credentials'
import { prisma } from './database'
import { loadApplications, loadModel, loadPolicy, loadUsers } from './policy'
import { type Changes, changesBetween, readPolicyVersion } from './policy-version'
import { findSettings, type SettingsRow } from './settings'

const TRIES = 5

/** Settings are read with the data of decisions: equally fresh, without a query of their own. */
export type PortalSnapshot = Snapshot & { settings: SettingsRow | null }

/** Reads everything that decisions and client authentication need, as of one policy version. */
export async function loadSnapshot(db: Reader, own: OwnApi): Promise<PortalSnapshot> {
  return asOfOneVersion(db, async (version) => {
    const credentials = await loadCredentials(db, null)
    const policy = await loadPolicy(db, own)
    const settings = await findSettings(db)
    return { version, credentials, origins: originsOf(credentials), policy, settings }
  })
}

/** The same snapshot, in which only what was changed since is read again. */
export async function renewSnapshot(
  db: Reader,
  own: OwnApi,
  old: PortalSnapshot,
): Promise<PortalSnapshot> {
  return asOfOneVersion(db, async (version) => {
    const changes = await changesBetween(db, old.version, version)
    return changes ? patched(db, own, old, version, changes) : loadSnapshot(db, own)
  })
}

/**
 * A write between two of the reads shows as another version. Under a steady stream of writes the
 * last attempt is used: its version is old, so the next check reads again.
 */
async function asOfOneVersion(
  db: Reader,
  read: (version: number) => Promise<PortalSnapshot>,
): Promise<PortalSnapshot> {
  for (let tries = 1; ; tries += 1) {
    const version = await readPolicyVersion(db)
    const snapshot = await read(version)
    if (tries === TRIES || (await readPolicyVersion(db)) === version) return snapshot
  }
}

async function patched(
  db: Reader,
  own: OwnApi,
  old: PortalSnapshot,
  version: number,
  { users, applications, groups, model, settings: renewed }: Changes,
): Promise<PortalSnapshot> {
  const settings = renewed ? await findSettings(db) : old.settings
  const policy = { ...old.policy, ...(model && (await loadModel(db, own))) }
  const people = new Set([...users, ...(await membersOf(db, groups))])
  if (people.size > 0) {
    policy.users = replaced(policy.users, people, await loadUsers(db, people))
  }
  if (applications.size === 0) return { ...old, version, policy, settings }
  const theirs = await loadApplications(db, applications)
  policy.applications = replaced(policy.applications, applications, theirs.applications)
  const gone = [...old.credentials.values()].filter((one) => applications.has(one.application.id))
  const clientIds = new Set(gone.map(({ clientId }) => clientId))
  policy.accessKeyGrants = replaced(policy.accessKeyGrants, clientIds, theirs.accessKeyGrants)
  const next = await loadCredentials(db, applications)
  const credentials = replaced(old.credentials, clientIds, next)
  return { version, credentials, origins: originsOf(credentials), policy, settings }
}

/** Without the old entries of these keys, and with the new ones. */
function replaced<V>(
  old: ReadonlyMap<string, V>,
  keys: ReadonlySet<string>,
  next: ReadonlyMap<string, V>,
): Map<string, V> {
  const map = new Map(old)
  for (const key of keys) map.delete(key)
  for (const [key, value] of next) map.set(key, value)
  return map
}

async function membersOf(db: Reader, groups: ReadonlySet<string>): Promise<string[]> {
  if (groups.size === 0) return []
  const rows = await prisma(db).groupMember.findMany({ where: { groupId: { in: [...groups] } } })
  return rows.map(({ userId }) => userId)
}

function originsOf(credentials: ReadonlyMap<string, Credential>): Set<string> {
  const enabled = [...credentials.values()].filter(({ application }) => application.enabled)
  return new Set(enabled.flatMap(({ application }) => application.origins))
}
