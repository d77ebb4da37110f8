import type { Op } from '../../context/op'
import { listAccessKeys } from '../applications/access-keys'
import { listApplications } from '../applications/applications'
import { getApplicationBranding } from '../applications/branding'
import { getApplicationGrants } from '../applications/grants'
import { listWebhooks, type WebhookWire } from '../delivery/webhooks'
import { type AssignmentWire, listAssignments } from '../permissions/assignments'
import { listGroupMembers, listGroups } from '../permissions/groups'
import { exportModel } from '../permissions/model-routes'
import { listAllResources } from '../permissions/resource-overview'
import { listRoles } from '../permissions/roles'
import { listSpaces } from '../permissions/spaces'
import { getSettings } from '../settings/routes'
import type { SettingsWire } from '../settings/wire'
import { listUsers } from '../users/users'
import { exportRequestRules } from './export-request-rules'
import { type Operator, operator, type Thing } from './operator'
import { VERSION } from './schema'

/**
 * The portal as a configuration file that can be applied elsewhere: names instead of IDs, and no
 * secrets.
 */

export async function exportConfiguration(op: Op): Promise<Thing> {
  const api = operator(op)
  const spaces = await api.list(listSpaces, {})
  const users = await api.list(listUsers, {})
  const groups = await api.list(listGroups, {})
  const names: Names = {
    space: new Map(spaces.map(({ id, key }) => [id, key])),
    user: new Map(users.map((user) => [user.id, userName(user)])),
    group: new Map(groups.map(({ id, key }) => [id, key])),
  }
  return {
    version: VERSION,
    settings: await settings(api),
    spaces: sortedBy('key', await Promise.all(spaces.map((space) => wholeSpace(api, space)))),
    apis: await apis(api, names),
    users: users
      .sort((a, b) => (userName(a) < userName(b) ? -1 : 1))
      .map((user) => plain(user, KEPT_OF_USER)),
    groups: sortedBy(
      'key',
      await Promise.all(groups.map((group) => wholeGroup(api, group, names))),
    ),
    applications: await applications(api, names),
    assignments: await assignments(api, spaces, names),
    requestRules: await exportRequestRules(api, names),
    webhooks: sortedBy('name', (await api.list(listWebhooks, {})).map(webhook)),
  }
}

type Names = Record<'space' | 'user' | 'group', Map<string, string>>

const KEPT_OF_USER = [
  'name',
  'email',
  'emailVerified',
  'username',
  'attributes',
  'profile',
  'locale',
  'enabled',
  'adminRole',
] as const

type Named = { username?: string | null | undefined; email?: string | null | undefined }

export function userName({ username, email }: Named): string {
  return String(username ?? email)
}

function plain<T extends object>(thing: T, members: readonly (keyof T & string)[]): Thing {
  return Object.fromEntries(members.map((member) => [member, thing[member] ?? null]))
}

function sortedBy<T extends object>(member: keyof T, things: T[]): T[] {
  return things.sort((a, b) => (String(a[member]) < String(b[member]) ? -1 : 1))
}

/** Nothing is removed while the file is written. */
function required<T>(found: T | null): T {
  if (found === null) throw new Error('an object disappeared during the export: run it again')
  return found
}

type Keyed = { id: string; key: string; name: string }

async function wholeSpace(api: Operator, { id, key, name }: Keyed) {
  const params = { space: id }
  const { resources, roles } = required(await api.find(exportModel, { params }))
  const apis = resources.map((one) => ({ ...one, permissions: sortedBy('key', one.permissions) }))
  return { key, name, resources: sortedBy('prefix', apis), roles: sortedBy('key', roles) }
}

/** API owners and introspectors are users, groups and applications, so they are listed apart. */
async function apis(api: Operator, names: Names) {
  const all = await api.list(listAllResources, {})
  const governed = all.map(({ prefix, owners, introspectors }) => ({
    prefix,
    owners: owners.map((owner) => named(owner, names)).sort(byName),
    introspectors,
  }))
  const said = governed.filter((one) => one.owners.length + one.introspectors.length > 0)
  return sortedBy('prefix', said)
}

type Subject = { type: 'user' | 'group'; id: string }

function byName(a: Subject, b: Subject): number {
  return `${a.type} ${a.id}` < `${b.type} ${b.id}` ? -1 : 1
}

function named({ type, id }: Subject, names: Pick<Names, 'user' | 'group'>): Subject {
  return { type, id: names[type].get(id) ?? id }
}

async function wholeGroup(api: Operator, { id, key, name }: Keyed, names: Names) {
  const members = await api.list(listGroupMembers, { params: { group: id } })
  return { key, name, members: members.map((one) => names.user.get(one.id) ?? '').sort() }
}

async function applications(api: Operator, names: Names) {
  const found = await api.list(listApplications, {})
  const made = found.filter(({ registration }) => registration === 'admin')
  const whole = made.map(async ({ createdAt: _made, updatedAt: _changed, ...rest }) => {
    const { registration: _by, pkceLearned: _learned, allowedOrigins: _now, ...one } = rest
    const params = { id: one.id }
    const { grants } = required(await api.find(getApplicationGrants, { params }))
    const keys = await api.list(listAccessKeys, { params })
    const branding = plain(
      required(await api.find(getApplicationBranding, { params })),
      KEPT_OF_BRANDING,
    )
    return {
      ...one,
      ...('space' in one && { space: names.space.get(String(one.space)) ?? null }),
      ...('owner' in one && { owner: names.user.get(String(one.owner)) ?? null }),
      grants: grants.map(({ id: _id, ...grant }) => grant),
      branding,
      keys: sortedBy('accessKey', keys.filter(isLive)).map((key) => plain(key, KEPT_OF_KEY)),
    }
  })
  return sortedBy('id', await Promise.all(whole))
}

/** Logos are pictures, and stay where they were uploaded. */
const KEPT_OF_BRANDING = ['accent', 'accentDark', 'signInText', 'consentText', 'methods'] as const

const KEPT_OF_KEY = ['accessKey', 'name', 'scopes', 'tokenSeconds', 'expiresAt', 'enabled'] as const

/** An expired access key cannot be created again. */
function isLive({ expiresAt }: { expiresAt: string | null }): boolean {
  return expiresAt === null || new Date(expiresAt) > new Date()
}

async function assignments(api: Operator, spaces: Keyed[], names: Names): Promise<Thing[]> {
  const all: Thing[] = []
  for (const { id, key } of spaces) {
    const params = { space: id }
    const roles = await api.list(listRoles, { params })
    const roleKeys = new Map(roles.map((role) => [role.id, role.key]))
    for (const found of await api.list(listAssignments, { params })) {
      all.push(assignment(found, key, roleKeys, names))
    }
  }
  return all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

export function assignment(
  found: AssignmentWire,
  space: string,
  roleKeys: ReadonlyMap<string, string>,
  names: Pick<Names, 'user' | 'group'>,
): Thing {
  const { type, id } = found.subject
  return {
    space,
    role: roleKeys.get(found.role) ?? found.role,
    subject: { type, id: type === 'client' ? id : (names[type].get(id) ?? id) },
    ...plain(found, ['instance', 'effect', 'condition', 'validFrom', 'validUntil']),
  }
}

function webhook({ name, url, events, enabled }: WebhookWire) {
  return { name, url, events, enabled }
}

/** Settings of the environment are left out. */
async function settings(api: Operator): Promise<Thing> {
  const { security, branding, languages, clientRegistration, ...rest } = required(
    await api.find(getSettings, {}),
  )
  const { mail, providers, userAttributes, putAway, fixed } = rest
  const fixedNames = Object.keys(fixed)
  const free = Object.entries(security).filter(
    ([member]) => !fixedNames.includes(`/security/${member}`),
  )
  const own = providers.filter(({ source }) => source === 'settings')
  return {
    security: Object.fromEntries(free),
    branding: brandingOf(branding),
    languages,
    clientRegistration,
    ...(!fixedNames.includes('/mail') && { mail: mail && mailOf(mail) }),
    providers: sortedBy('id', own).map(provider),
    userAttributes,
    putAway,
  }
}

function brandingOf({
  logoLight: _light,
  logoDark: _dark,
  picture: _,
  ...rest
}: SettingsWire['branding']) {
  return rest
}

function mailOf({ server, from, passwordSet }: NonNullable<SettingsWire['mail']>): Thing {
  return { server, from, ...(passwordSet && { password: { env: 'MAIL_PASSWORD' } }) }
}

/** Members that only one kind of provider has. */
const OWN_MEMBERS = {
  oidc: ['issuer'],
  github: ['url'],
  google: [],
  microsoft: ['tenant'],
} as const

function provider(one: SettingsWire['providers'][number]): Thing {
  const { kind, id, idTokenAlgorithm } = one
  const env = `PROVIDER_${id.toUpperCase().replaceAll('-', '_')}_SECRET`
  return {
    ...plain(one, ['id', 'kind', 'name', 'clientId', 'domains', ...OWN_MEMBERS[kind]]),
    ...(idTokenAlgorithm !== undefined && { idTokenAlgorithm }),
    clientSecret: { env },
  }
}
