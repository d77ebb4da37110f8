import { answersToOthers } from './model'
import type { Application, Facts, Grant, Person, Registration, Role, Webhook } from './model-facts'
import type { Stage } from './stage'
import type { World } from './world'

/** What stands there, read through the API with the owner's authority. */

const NEWEST = 'limit=50&sort=-createdAt'

type Wanted = {
  /** Whose grants are read anew. */
  grantsOf: ReadonlySet<string>
  /** None before anybody has changed anything: what it was made with is what is there. */
  start?: Facts | undefined
}

export async function readFacts(
  stage: Stage,
  world: World,
  { grantsOf, start }: Wanted,
): Promise<Facts> {
  const { root } = stage
  const first = start === undefined
  const ids = new Set([...world.names.values('users'), ...world.names.values('applications')])
  const ours = ({ id }: { id: string }) => ids.has(id)
  const victim = world.names.get('users/owner')
  const [people, applications, settings, webhooks, owner, signedIn, groups, roles] =
    await Promise.all([
      dataOf(stage, `/users?${NEWEST}`),
      dataOf(stage, `/applications?${NEWEST}`),
      root('GET', '/settings'),
      dataOf(stage, `/webhooks?${NEWEST}`),
      root('GET', `/users/${victim}`),
      root('GET', `/users/${victim}/sessions`),
      Promise.all(
        world.groups.map(async (group) => ({
          ...group,
          members: await membersOf(stage, group.id),
        })),
      ),
      rolesOf(stage, world),
    ])
  const oneself = owner.status === 200 ? [owner.json] : []
  if (first) for (const one of people) if (!ours(one)) world.outsiders.add(one.id)
  // Where something is deleted, an older one moves up into the list.
  const isOfHere = ({ createdAt }: Wire) => createdAt >= world.since
  const known = people.filter((one) => isOfHere(one) && !world.outsiders.has(one.id))
  const everybody = [...known, ...oneself]
  return {
    people: [...new Map(everybody.map((one) => [one.id, toPerson(one)])).values()],
    applications: await Promise.all(
      applications.filter(ours).map((one) => toApplication(stage, world, one, { grantsOf, start })),
    ),
    apis: world.apis,
    items: world.items,
    groups,
    roles,
    decisions: world.decisions,
    webhooks: webhooks.filter(isOfHere).map(toWebhook),
    sessions: signedIn.json?.data?.map(({ id }: Wire) => ({ id, person: victim })) ?? [],
    mail: JSON.stringify(settings.json.mail),
    providers: JSON.stringify(settings.json.providers),
    impersonation: impersonationIn(settings.json.security),
    registration: toRegistration(settings.json.clientRegistration),
  }
}

function impersonationIn({ impersonation, impersonators }: Wire): string {
  return `${impersonation} by ${impersonators}`
}

// biome-ignore lint/suspicious/noExplicitAny: what the routes answer, their schemas say elsewhere
type Wire = any

async function dataOf({ root }: Stage, path: string): Promise<Wire[]> {
  const { status, json, body } = await root('GET', path)
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
  return json.data
}

export async function membersOf({ root }: Stage, group: string): Promise<string[]> {
  const { status, json } = await root('GET', `/groups/${group}/members?limit=100`)
  return status === 200 ? json.data.map(({ id }: { id: string }) => id) : []
}

/** Those of its space, as long as there is one, with whoever holds them. */
async function rolesOf({ root }: Stage, { names }: World): Promise<Role[]> {
  const space = `/spaces/${names.get('spaces/here')}`
  const all = 'limit=200&sort=-createdAt'
  const roles = await root('GET', `${space}/roles?${all}`)
  const assignments = await root('GET', `${space}/assignments?${all}`)
  const given: Wire[] =
    assignments.json?.data?.filter(({ effect }: Wire) => effect === 'allow') ?? []
  const byKey = new Map((roles.json?.data ?? []).map(({ id, key }: Wire) => [key, id]))
  return (roles.json?.data ?? []).map(({ id, parents }: Wire) => ({
    id,
    parents: parents.map((key: string) => byKey.get(key) ?? key),
    holders: given
      .filter(({ role, subject }) => role === id && subject.type !== 'client')
      .map(({ subject, condition, instance }) => ({
        id: subject.id,
        decides: condition === null && instance === null,
      })),
  }))
}

function toPerson({ id, adminRole, enabled, email, username, ...more }: Wire): Person {
  const attributes = JSON.stringify(more.attributes)
  return { id, adminRole, enabled, email, username, verified: more.emailVerified, attributes }
}

const ACTING = [
  ...['redirectUris', 'origins', 'grantTypes', 'authMethods', 'jwks', 'jwksUri'],
  ...['assertionAudience', 'pkce'],
]

async function toApplication(
  { root }: Stage,
  { items, given, roled }: World,
  wire: Wire,
  { grantsOf, start }: Wanted,
): Promise<Application> {
  const { id, owner, enabled } = wire
  const acting = JSON.stringify(ACTING.map((field) => wire[field]))
  const was = start?.applications.find((one) => one.id === id)
  const isOpened = was !== undefined && answersToOthers(was, { owner, enabled, acting })
  const anew = isOpened || grantsOf.has(id)
  const answer = anew ? await root('GET', `/applications/${id}/grants`) : null
  const grants: readonly Grant[] = answer?.json?.grants ?? given.get(id) ?? []
  const scope = items.map(({ key }) => key).join(' ')
  const asks = (start === undefined || isOpened) && roled.has(id)
  const decided = asks ? await root('POST', '/scopes/decide', { client: id, scope }) : null
  const gets: string[] = decided?.json?.scope?.split(' ') ?? []
  return { id, owner, enabled, acting, grants, gets, impersonates: wire.mayImpersonate === true }
}

function toRegistration({ mode, documents, scopes }: Wire): Registration {
  return { open: mode === 'open' || documents, scopes }
}

function toWebhook({ id, url, events, enabled }: Wire): Webhook {
  return { id, tells: `${url} of ${events.join(' ')}`, enabled }
}
