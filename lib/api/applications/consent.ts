import { z } from 'zod'
import { OPENID_SCOPES } from '../../access/decide-scopes'
import { patternCovers } from '../../access/pattern'
import type { Policy } from '../../access/policy'
import { errorMessage } from '../../i18n/error-message'
import { type GrantRow, listGrants } from '../../store/permissions/grants'
import { operation, tagged } from '../http/operation'
import { Problem } from '../http/problem'
import { requireApplication } from './applications'

/** The consent page as a user would see it, for those who configure the application. */

const MAX_ITEMS = 50
const SIGN_IN = ['openid', 'profile', 'email']

const itemSchema = z.object({
  scope: z.string(),
  api: z.string(),
  sentences: z.record(z.string(), z.string()),
  sensitive: z.boolean(),
  required: z.boolean(),
})
const previewSchema = z.object({
  signIn: z.array(z.string()),
  items: z.array(itemSchema),
  redirectUri: z.string().nullable().describe('The redirect URI that the answer would go to'),
})

export const previewApplicationConsent = operation({
  id: 'previewApplicationConsent',
  method: 'GET',
  path: '/applications/{id}/consent-preview',
  summary: 'Preview the consent page of an application, without conditions and roles',
  scope: 'applications:read',
  query: z.strictObject({
    scope: z
      .string()
      .max(2_000)
      .optional()
      .describe(
        'The scopes to ask for, separated by spaces; if missing, all that the application holds',
      ),
  }),
  mayConflict: true,
  answers: { 200: previewSchema },
  async handle(op, { caller, params, query, snapshot }) {
    const application = await requireApplication(op, caller, params.id)
    if (application.kind === 'machine') {
      throw new Problem('conflict', errorMessage('machine_consent'))
    }
    const grants = await op.read((db) => listGrants(db, application.id))
    const held = heldScopes(snapshot.policy, grants)
    const asked = query.scope?.split(' ').filter((scope) => scope !== '') ?? [...SIGN_IN, ...held]
    const scopes = held.filter((scope) => asked.some((one) => patternCovers(one, scope)))
    const described = await op.consents.describe(scopes)
    const items = scopes.slice(0, MAX_ITEMS).map((scope) => {
      const { apiName = '', sentences = {}, sensitive = false } = described.get(scope) ?? {}
      const required = application.requiredScopes.includes(scope)
      return { scope, api: apiName, sentences, sensitive, required }
    })
    const signIn = asked.filter((scope) => OPENID_SCOPES.has(scope))
    const redirectUri = application.redirectUris[0] ?? null
    return { status: 200, body: { signIn, items, redirectUri } }
  },
})

export const applicationConsentRoutes = tagged('Applications', [previewApplicationConsent])

/** A deny with a condition may not apply, so it is ignored here. */
function heldScopes({ items }: Policy, grants: readonly GrantRow[]): string[] {
  const allowed = grants.filter(
    ({ effect, exchangeFrom }) => effect === 'allow' && exchangeFrom === null,
  )
  const refused = grants.filter(
    ({ effect, condition, exchangeFrom }) =>
      effect === 'deny' && condition === null && exchangeFrom === null,
  )
  const covers = (some: readonly GrantRow[], scope: string) =>
    some.some(({ pattern }) => patternCovers(pattern, scope))
  return [...items.keys()].filter((scope) => covers(allowed, scope) && !covers(refused, scope))
}
