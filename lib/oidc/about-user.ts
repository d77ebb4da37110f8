import { type Context, NOTHING, type Policy } from '../access/policy'
import { rolesHeld, spacesOf } from '../access/roles-held'
import type { AboutUser } from './claims'
import type { Application } from './client'
import type { Provider } from './provider'
import type { Person } from './stores'

type Asking = {
  application: Application
  userId: string
  scopes: readonly string[]
  context: Context
}

/** Null if the user does not exist or is disabled. The policy must contain both. */
export async function aboutUser(
  op: Provider,
  policy: Policy,
  { application, userId, scopes, context }: Asking,
): Promise<AboutUser | null> {
  const person = await op.people.find(userId)
  if (!person) return null
  return {
    person,
    groups: scopes.includes('groups') ? await op.people.groupsOf(userId) : null,
    roles: scopes.includes('roles') ? rolesFor(policy, application, userId, context) : null,
    ...attributesOf(op, person),
  }
}

function attributesOf(op: Provider, { attributes }: Person) {
  const { defined, trusted } = op.attributeKeys()
  const among = (keys: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(attributes).filter(([key]) => keys.has(key)))
  return { attributes: among(defined), trusted: among(trusted) }
}

/** Of the spaces that the application's APIs belong to, and of its own. */
function rolesFor(
  policy: Policy,
  { id, spaceId }: Application,
  userId: string,
  context: Context,
): string[] {
  const spaces = spacesOf(policy, policy.applications.get(id) ?? NOTHING)
  if (spaceId !== null) spaces.add(spaceId)
  return rolesHeld(policy, userId, spaces, context)
}
