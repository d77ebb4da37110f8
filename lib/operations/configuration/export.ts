import type { Op } from '../../context/op'
import { type Operator, operator, type Thing } from './operator'
import { VERSION } from './schema'

/** The portal as a document that can be applied elsewhere: names instead of ids, and no secret. */

export async function exportConfiguration(op: Op): Promise<Thing> {
  const api = operator(op)
  const spaces = await api.list('/spaces')
  const users = await api.list('/users')
  const groups = await api.list('/groups')
  const names: Names = {
    space: new Map(spaces.map(({ id, key }) => [String(id), String(key)])),
    user: new Map(users.map((user) => [String(user.id), userName(user)])),
    group: new Map(groups.map(({ id, key }) => [String(id), String(key)])),
  }
  return {
    version: VERSION,
    settings: await settings(api),
    spaces: sortedBy('key', await Promise.all(spaces.map((space) => wholeSpace(api, space)))),
    apis: await apis(api, names),
    users: users
      .map(({ id: _id, createdAt: _made, updatedAt: _changed, ...user }) =>
        plain(user, KEPT_OF_USER),
      )
      .sort((a, b) => (userName(a) < userName(b) ? -1 : 1)),
    groups: sortedBy(
      'key',
      await Promise.all(groups.map((group) => wholeGroup(api, group, names))),
    ),
    applications: await applications(api, names),
    assignments: await assignments(api, spaces, names),
    webhooks: sortedBy('name', (await api.list('/webhooks')).map(webhook)),
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

export function userName({ username, email }: Thing): string {
  return String(username ?? email)
}

function plain(thing: Thing, members: readonly string[]): Thing {
  return Object.fromEntries(members.map((member) => [member, thing[member] ?? null]))
}

function sortedBy(member: string, things: Thing[]): Thing[] {
  return things.sort((a, b) => (String(a[member]) < String(b[member]) ? -1 : 1))
}

async function required(api: Operator, path: string): Promise<Thing> {
  const found = await api.find(path)
  if (!found) throw new Error(`${path} is gone`)
  return found.body
}

async function wholeSpace(api: Operator, { id, key, name }: Thing): Promise<Thing> {
  const { resources, roles } = await required(api, `/spaces/${id}/model`)
  const apis = (resources as Thing[]).map((one) => ({
    ...one,
    permissions: sortedBy('key', one.permissions as Thing[]),
  }))
  return {
    key,
    name,
    resources: sortedBy('prefix', apis),
    roles: sortedBy('key', roles as Thing[]),
  }
}

/** Whose an API is and who introspects its tokens are people, groups and applications: said apart. */
async function apis(api: Operator, names: Names): Promise<Thing[]> {
  const governed = (await api.list('/resources')).map(({ prefix, owners, introspectors }) => ({
    prefix,
    owners: (owners as Subject[]).map((owner) => named(owner, names)).sort(byName),
    introspectors: introspectors as string[],
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

async function wholeGroup(api: Operator, { id, key, name }: Thing, names: Names): Promise<Thing> {
  const members = await api.list(`/groups/${id}/members`)
  return { key, name, members: members.map((one) => names.user.get(String(one.id)) ?? '').sort() }
}

async function applications(api: Operator, names: Names): Promise<Thing[]> {
  const found = await api.list('/applications')
  const whole = found.map(async ({ createdAt: _made, updatedAt: _changed, ...one }) => {
    const { grants } = await required(api, `/applications/${one.id}/grants`)
    const keys = await api.list(`/applications/${one.id}/keys`)
    return {
      ...one,
      ...('space' in one && { space: names.space.get(String(one.space)) ?? null }),
      ...('owner' in one && { owner: names.user.get(String(one.owner)) ?? null }),
      grants: (grants as Thing[]).map(({ id: _id, ...grant }) => grant),
      keys: sortedBy(
        'accessKey',
        keys.filter(isLive).map((key) => plain(key, KEPT_OF_KEY)),
      ),
    }
  })
  return sortedBy('id', await Promise.all(whole))
}

const KEPT_OF_KEY = ['accessKey', 'name', 'scopes', 'tokenSeconds', 'expiresAt', 'enabled']

/** One that has expired cannot be made anew. */
function isLive({ expiresAt }: Thing): boolean {
  return expiresAt === null || new Date(String(expiresAt)) > new Date()
}

async function assignments(api: Operator, spaces: Thing[], names: Names): Promise<Thing[]> {
  const all: Thing[] = []
  for (const { id, key } of spaces) {
    const roles = await api.list(`/spaces/${id}/roles`)
    const roleKeys = new Map(roles.map((role) => [role.id, role.key]))
    for (const found of await api.list(`/spaces/${id}/assignments`)) {
      all.push(assignment(found, String(key), roleKeys, names))
    }
  }
  return all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

export function assignment(
  found: Thing,
  space: string,
  roleKeys: Map<unknown, unknown>,
  names: Pick<Names, 'user' | 'group'>,
): Thing {
  const { type, id } = found.subject as { type: 'user' | 'group' | 'client'; id: string }
  return {
    space,
    role: roleKeys.get(found.role) ?? found.role,
    subject: { type, id: type === 'client' ? id : (names[type].get(id) ?? id) },
    ...plain(found, ['instance', 'effect', 'condition', 'validFrom', 'validUntil']),
  }
}

function webhook({ name, url, events, enabled }: Thing): Thing {
  return { name, url, events, enabled }
}

/** What the environment says is not ours to write down. */
async function settings(api: Operator): Promise<Thing> {
  const { security, branding, languages, mail, providers, fixed } = await required(api, '/settings')
  const fixedNames = Object.keys(fixed as Thing)
  const free = Object.entries(security as Thing).filter(
    ([member]) => !fixedNames.includes(`/security/${member}`),
  )
  const own = (providers as Thing[]).filter(({ source }) => source === 'settings')
  return {
    security: Object.fromEntries(free),
    branding,
    languages,
    ...(!fixedNames.includes('/mail') && { mail: mail && mailOf(mail as Thing) }),
    providers: sortedBy('id', own.map(provider)),
  }
}

function mailOf({ server, from, passwordSet }: Thing): Thing {
  return { server, from, ...(passwordSet === true && { password: { env: 'MAIL_PASSWORD' } }) }
}

function provider(one: Thing): Thing {
  const { kind, id } = one
  const more = { oidc: ['issuer'], github: ['url'], google: [], microsoft: ['tenant'] }
  const members = ['id', 'kind', 'name', 'clientId', 'domains', ...more[kind as keyof typeof more]]
  const env = `PROVIDER_${String(id).toUpperCase().replaceAll('-', '_')}_SECRET`
  return {
    ...plain(one, members),
    ...(one.idTokenAlgorithm !== undefined && { idTokenAlgorithm: one.idTokenAlgorithm }),
    clientSecret: { env },
  }
}
