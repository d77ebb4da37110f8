import { z } from 'zod'
import {
  type AppPerson,
  isUserOf,
  listPeoplePage,
  listSharedPeoplePage,
  usageOf,
} from '../../store/applications/people'
import { removeConsents } from '../../store/tokens/consents'
import { revokeGrantsOf } from '../../store/tokens/token-grants'
import { type ChangeEntry, change } from '../authority/change'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema, searchedWordSchema } from '../http/page'
import { notFound } from '../http/problem'
import { iso } from '../http/schemas'
import { wireOf } from '../http/wire'
import { ownerOnly, requireApplication } from './applications'

/** The users of an application, and how much it is used. */

const personSchema = z.object({
  id: z.string().describe('Without `users:read`, the list is sorted by this ID'),
  name: z
    .string()
    .nullable()
    .describe('Without `users:read`: null, unless the user consented to `profile`'),
  email: z
    .string()
    .nullable()
    .describe('Without `users:read`: null, unless the user consented to `email`'),
  granted: z.array(z.string()).describe('Scopes that the user consented to'),
  refused: z.array(z.string()).describe('Scopes that the user refused'),
  decidedAt: z.string().nullable(),
  liveTokens: z.number().describe('Number of sign-ins whose tokens still work, at most 100'),
  lastSignInAt: z.string().nullable(),
})
export type AppPersonWire = z.infer<typeof personSchema>

function toWire(person: AppPerson) {
  return wireOf(personSchema, person, { liveTokens: person.live })
}

const usageSchema = z.object({
  lastUsedAt: z
    .string()
    .nullable()
    .describe('When one of its secrets, access keys or public keys was last used'),
  lastUsedIp: z.string().nullable(),
  lastSignInAt: z.string().nullable().describe('When a user last signed in to it'),
  signInUsed: z
    .object({ pkce: z.boolean(), nonce: z.boolean() })
    .nullable()
    .describe('What the last sign-in with an authorization code used; null if none was seen'),
  people: z
    .number()
    .describe('Number of users who consented to it or have tokens for it, counted up to 10000'),
  secrets: z.number().describe('Number of secrets that work now'),
  accessKeys: z.number().describe('Number of access keys that work now'),
})

export type ApplicationUsage = z.infer<typeof usageSchema>

export const getApplicationUsage = operation({
  id: 'getApplicationUsage',
  method: 'GET',
  path: '/applications/{id}/usage',
  summary: 'Read when an application was last used, and by how many users',
  scope: 'applications:read',
  answers: { 200: usageSchema },
  async handle(op, { caller, params }) {
    const asked = { id: params.id, ownerId: ownerOnly(caller) }
    const usage = await op.readReplica((db) => usageOf(db, asked, op.now()))
    if (!usage) throw notFound('no_application', params.id)
    const { lastUsedAt, lastSignInAt } = usage
    const body = { ...usage, lastUsedAt: iso(lastUsedAt), lastSignInAt: iso(lastSignInAt) }
    return { status: 200, body }
  },
})

export const listApplicationPeople = operation({
  id: 'listApplicationPeople',
  method: 'GET',
  path: '/applications/{id}/people',
  summary: 'List the users who consented to an application or have tokens for it',
  scope: 'applications:read',
  query: listQuery(['name', 'email'], { q: searchedWordSchema }),
  answers: { 200: pageSchema(personSchema) },
  async handle(op, { caller, params, query }) {
    const { id } = await requireApplication(op, caller, params.id)
    const filters = { applicationId: id }
    if (!caller.scopes.has('users:read')) {
      return listed(
        op,
        { ...query, sort: 'id' },
        {
          name: 'application-people-shared',
          filters,
          list: (db, people, ask) => listSharedPeoplePage(db, people, ask, op.now()),
        },
        toWire,
      )
    }
    return listed(
      op,
      query,
      {
        name: 'application-people',
        filters,
        list: (db, people, ask) => listPeoplePage(db, people, ask, op.now()),
      },
      toWire,
    )
  },
})

export const removeApplicationPerson = operation({
  id: 'removeApplicationPerson',
  method: 'DELETE',
  path: '/applications/{id}/people/{user}',
  summary: 'Delete the consent of a user to an application and revoke the tokens',
  scope: 'applications:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { id } = await requireApplication(op, call.caller, call.params.id)
    const { user } = call.params
    const entry: ChangeEntry = {
      event: 'application.person_removed',
      gives: [],
      kind: 'user',
      id: user,
      applicationId: id,
    }
    await change(op, call, entry, async (tx) => {
      if (!(await isUserOf(tx, id, user))) throw notFound('no_user', user)
      await removeConsents(tx, user, id)
      await revokeGrantsOf(tx, user, 'app_removed', op.now(), { applicationId: id })
    })
    return { status: 204 }
  },
})

export const applicationPeopleRoutes = tagged('Applications', [
  getApplicationUsage,
  listApplicationPeople,
  removeApplicationPerson,
])
