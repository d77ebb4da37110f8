'use server'

import { patternCovers } from '@/lib/access/pattern'
import { type AdminApi, type ApiProblem, adminApi } from '@/lib/admin/api'
import { requestToken } from '@/lib/admin/first-token'
import * as grants from '@/lib/api/applications/grants'
import { createApplicationSecret } from '@/lib/api/applications/secrets'
import { type FormState, mistaken, refused, valuesOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type FetchedToken = { command: string; answer: string; isToken: boolean }

const SECRET_MS = 24 * 60 * 60 * 1000

/** Grants what is missing, makes a secret for a day, and asks for a token as the application would. */
export async function fetchToken(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { firstToken: words, problems } = (await currentMessages()).admin
  const clientId = textOf(form, 'application')
  const scopes = valuesOf(form, 'scope')
  if (scopes.length === 0) return mistaken(form, { field: 'scope', text: words.tickFirst })
  const problem = await grantMissing(api, clientId, scopes)
  if (problem) return refused(problem, form, problems, { grants: 'scope' })
  const portal = await op()
  const expiresAt = new Date(portal.now().getTime() + SECRET_MS).toISOString()
  const made = await api.send(createApplicationSecret, {
    params: { id: clientId },
    body: { name: words.secretName, expiresAt },
  })
  if (!made.ok) return refused(made.problem, form, problems)
  const ask = { clientId, secret: made.body.secret, scope: scopes.join(' ') }
  const { command, status, body } = await requestToken(portal, ask, (await requestOrigin()).ip)
  const fetched: FetchedToken = { command, answer: body, isToken: status === 200 }
  return { made: fetched }
}

const PLAIN = { effect: 'allow', condition: null, validFrom: null, validUntil: null } as const

async function grantMissing(
  api: AdminApi,
  id: string,
  scopes: readonly string[],
): Promise<ApiProblem | null> {
  const { body, version } = await api.read(grants.getApplicationGrants, { params: { id } })
  const held = body.grants.map(({ id: _id, ...grant }) => grant)
  const missing = scopes.filter(
    (scope) =>
      !held.some(({ effect, pattern }) => effect === 'allow' && patternCovers(pattern, scope)),
  )
  if (missing.length === 0) return null
  const asked = [...held, ...missing.map((pattern) => ({ ...PLAIN, pattern }))]
  const saved = await api.send(grants.replaceApplicationGrants, {
    params: { id },
    body: { grants: asked },
    version: version ?? '',
  })
  return saved.ok ? null : saved.problem
}
