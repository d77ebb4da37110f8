import { z } from 'zod'
import { ASSERTION_AUDIENCES, PKCE_SETTINGS } from '../../oidc/client'
import { REFUSAL_EVENTS } from '../../oidc/refusal-reasons'
import { listRefusalsOf } from '../../store/audit/audit'
import { operation, tagged } from '../http/operation'
import { iso } from '../http/schemas'
import { requireApplication } from './applications'
import { offerFor } from './offers'

/** Why an application did not get in: its last refused requests, for those who manage it. */

const MAX = 20

const offerSchema = z
  .object({
    pkce: z.enum(PKCE_SETTINGS),
    assertionAudience: z.enum(ASSERTION_AUDIENCES),
    assertionAudienceList: z.boolean(),
    assertionSeconds: z.number(),
    origins: z.array(z.string()).nullable().describe('null: those of the redirect URIs'),
  })
  .partial()

const refusalSchema = z.object({
  id: z.string(),
  at: z.string(),
  event: z.enum(REFUSAL_EVENTS),
  reason: z
    .string()
    .describe(
      'A code such as `assertion_audience`; in old entries it may be the text of the error',
    ),
  facts: z.record(z.string(), z.unknown()),
  client: z.string().nullable().describe('The application ID or the access key that was used'),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  offer: offerSchema
    .nullable()
    .describe('Settings of the application with which the request would have been accepted'),
})

const answer = z.object({ data: z.array(refusalSchema) })
export type RefusalWire = z.infer<typeof refusalSchema>

export const listApplicationRefusals = operation({
  id: 'listApplicationRefusals',
  method: 'GET',
  path: '/applications/{id}/refusals',
  summary: 'Read why the last requests of an application were refused, the newest first',
  scope: 'applications:read',
  answers: { 200: answer },
  async handle(op, { caller, params }) {
    const application = await requireApplication(op, caller, params.id)
    const asked = { applicationId: application.id, events: REFUSAL_EVENTS }
    const rows = await op.read((db) => listRefusalsOf(db, asked, MAX))
    const data = rows.map(({ id, at, event, actorId, ip, requestId, detail }) => {
      const { reason, ...facts } = z.looseObject({ reason: z.string() }).parse(detail)
      return {
        id,
        at: iso(at),
        reason,
        facts,
        client: actorId,
        ip,
        requestId,
        event: z.enum(REFUSAL_EVENTS).parse(event),
        offer: offerFor(op, application, reason, facts),
      }
    })
    return { status: 200, body: { data } }
  },
})

export const applicationRefusalRoutes = tagged('Applications', [listApplicationRefusals])
