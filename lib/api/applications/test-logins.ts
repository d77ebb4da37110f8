import { z } from 'zod'
import type { EventName } from '../../base/events'
import type { Op } from '../../context/op'
import { errorMessage, rule } from '../../i18n/error-message'
import { PROMPTS } from '../../oidc/authorization-request'
import type { Credential } from '../../oidc/client'
import { ERROR_STATUS } from '../../oidc/error-words'
import { isOAuthError } from '../../oidc/errors'
import { authorize } from '../authority/authorize'
import { actorOf } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { notFound, Problem } from '../http/problem'
import { idSchema, iso, textSchema } from '../http/schemas'
import { requireApplication } from './applications'
import {
  beginTestLogin,
  type CompletedTestLogin,
  redeem,
  refusedBy,
  requireOwnTestLogin,
  type TestLoginState,
} from './test-login'

/** Test login: the real flow of an application, with the portal's own callback. */

const askSchema = z.strictObject({
  client: idSchema.describe('Application ID or access key'),
  scope: z.string().max(4_096).optional(),
  resource: z.array(z.string().max(255)).max(10).default([]),
  prompt: z.enum(PROMPTS).optional(),
  login_hint: z.string().max(254).optional(),
  acr_values: z.string().max(255).optional(),
})

const startedSchema = z.object({
  url: z.string().describe('The URL to open in the browser'),
  cookie: z
    .object({ name: z.string(), value: z.string() })
    .nullable()
    .describe('Shown once: only the browser with this cookie can continue'),
  expiresAt: z.string(),
})

const backSchema = z
  .strictObject({
    state: z.string().min(1).max(4_096),
    code: z.string().min(1).max(255).optional(),
    error: z.string().min(1).max(100).optional(),
    error_description: textSchema.optional(),
  })
  .refine(({ code, error }) => (code === undefined) !== (error === undefined), {
    error: rule('code_or_error'),
    path: ['code'],
  })

const decodedSchema = z.object({
  header: z.record(z.string(), z.unknown()),
  claims: z.record(z.string(), z.unknown()),
})

const resultSchema = z.object({
  client: z.string(),
  asked: z.string(),
  /** Where it ended: at the authorization endpoint, at the token endpoint, or successfully. */
  ended: z.enum(['authorize', 'token', 'well']),
  error: z.string().nullable(),
  description: z.string().nullable(),
  user: z.string().nullable(),
  scope: z.string(),
  scope_rejected: z.string(),
  reasons: z.array(
    z.object({
      scope: z.string(),
      code: z.string(),
      acr_values: z.string().optional(),
      next_action: z.string(),
    }),
  ),
  expires_in: z.number().nullable(),
  /** Decoded and revoked already. The tokens themselves are never shown. */
  accessToken: decodedSchema.nullable(),
  idToken: decodedSchema.nullable(),
  refreshToken: z.boolean(),
  userinfo: z.record(z.string(), z.unknown()).nullable(),
})
export type TestLoginWire = z.infer<typeof resultSchema>

/** Only a caller who may change the application may test it (attack N8). */
async function requireOpen(op: Op, call: Call, client: string): Promise<Credential> {
  const { credentials } = await op.snapshot({ clients: [client] })
  const credential = credentials.get(client)
  if (!credential) throw notFound('no_client', client)
  await requireApplication(op, call.caller, credential.application.id)
  if (credential.application.enabled && credential.accessKey?.enabled !== false) return credential
  throw new Problem('conflict', errorMessage('application_disabled'))
}

function record(
  op: Op,
  call: Call,
  { application, clientId }: Credential,
  event: EventName,
  error: string | null,
): void {
  op.record({
    ...actorOf(call),
    event,
    result: error === null ? 'success' : 'failure',
    targetKind: 'application',
    targetId: application.id,
    applicationId: application.id,
    detail: { client: clientId, ...(error !== null && { error }) },
  })
}

type End = Pick<TestLoginWire, 'ended' | 'error' | 'description'> & Partial<CompletedTestLogin>

async function endOf(
  op: Op,
  call: Call<unknown, unknown, z.infer<typeof backSchema>>,
  credential: Credential,
  opened: TestLoginState,
): Promise<End> {
  const { code, error = '', error_description } = call.body
  if (code === undefined) {
    const known = Object.hasOwn(ERROR_STATUS, error) ? error : 'server_error'
    return { ended: 'authorize', error: known, description: error_description ?? null }
  }
  try {
    const completed = await redeem(op, call.incoming, credential, opened, code)
    return { ended: 'well', error: null, description: null, ...completed }
  } catch (refusal) {
    if (!isOAuthError(refusal)) throw refusal
    const { word, message } = refusal
    return { ended: 'token', error: word, description: message, reasons: refusedBy(refusal) }
  }
}

export const startTestLogin = operation({
  id: 'startTestLogin',
  method: 'POST',
  path: '/test-logins',
  summary: 'Begin a test login, for one browser, once, within ten minutes',
  scope: 'applications:write',
  mayBeMissing: true,
  body: askSchema,
  example: { client: 'app_...', scope: 'openid orders:read' },
  answers: { 201: startedSchema },
  async handle(op, call) {
    const { client, ...ask } = call.body
    const credential = await requireOpen(op, call, client)
    // The tokens are revoked before anybody sees them, so this gives nobody anything.
    await authorize(op, call, [])
    const started = await beginTestLogin(op, call.caller, credential, ask)
    record(op, call, credential, 'test_login.started', null)
    return { status: 201, body: { ...started, expiresAt: iso(started.expiresAt) } }
  },
})

export const finishTestLogin = operation({
  id: 'finishTestLogin',
  method: 'POST',
  path: '/test-logins:finish',
  summary: 'Finish a test login: exchange the code, decode the tokens and revoke them',
  scope: 'applications:write',
  body: backSchema,
  example: { state: '...', code: 'ghac_...' },
  answers: { 200: resultSchema },
  async handle(op, call) {
    const opened = requireOwnTestLogin(op, call.caller, call.body.state)
    const { client, scope: asked } = opened
    const credential = await requireOpen(op, call, client)
    await authorize(op, call, [])
    const end = await endOf(op, call, credential, opened)
    record(op, call, credential, 'test_login.finished', end.error)
    const user = end.accessToken?.claims.sub
    return {
      status: 200,
      body: { ...NOTHING, client, asked, user: user === undefined ? null : String(user), ...end },
    }
  },
})

export const testLoginRoutes = tagged('Tools', [startTestLogin, finishTestLogin])

const NOTHING = {
  scope: '',
  scope_rejected: '',
  reasons: [],
  expires_in: null,
  accessToken: null,
  idToken: null,
  refreshToken: false,
  userinfo: null,
}
