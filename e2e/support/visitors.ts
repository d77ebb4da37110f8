import { ADMIN_ROLES, type AdminRole } from '../../lib/store/accounts/users'
import { ANY, ok, people } from './access-requests'
import { caller, machineToken } from './api'
import type { Fields } from './ask'
import type { AnyPortal } from './portal'

/** One of each kind that may come to a page or call a route. */
export type Visitor = AdminRole | 'user' | 'nobody'
export const VISITORS: readonly Visitor[] = [...ADMIN_ROLES, 'user', 'nobody']

/** What each of them sends to say who calls. */
export async function visitorsIn(portal: AnyPortal): Promise<Map<Visitor, Fields>> {
  const api = caller(portal, await machineToken(portal))
  const named = VISITORS.filter((one) => one !== 'nobody')
  const found = await people(
    portal,
    named.map((one) => `matrix-${one}`),
  )
  const sessions = new Map<Visitor, Fields>([['nobody', {}]])
  for (const visitor of named) {
    const person = found[`matrix-${visitor}`]
    if (!person) throw new Error(`no ${visitor}`)
    const adminRole = visitor === 'user' ? null : visitor
    ok(await api('PATCH', `/users/${person.id}`, { adminRole }, ANY))
    sessions.set(visitor, person.session)
  }
  return sessions
}
