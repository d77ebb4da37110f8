'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { press } from '@/lib/admin/form-call'
import * as tokens from '@/lib/api/registration/initial-access-tokens'
import { changeSettings } from '@/lib/api/settings/routes'
import { DAY_MS } from '@/lib/base/time'
import {
  type FormState,
  linesOf,
  mistaken,
  numberOf,
  refused,
  valuesOf,
} from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { paths } from '@/lib/oidc/paths'
import { op } from '@/lib/op'
import type { NewSecret } from '../../applications/shown-once'

const PAGE = '/admin/settings/registration'
const FIELDS = [
  ...['mode', 'scopes', 'redirectHosts', 'grantTypes', 'assertionAudience'],
  ...['unusedDays', 'most', 'perNetwork', 'softwareIssuers'],
  ...['documentHosts', 'documentDenied'],
]

export async function saveRegistration(_before: FormState, form: FormData): Promise<FormState> {
  const { registration: words, problems } = (await currentMessages()).admin
  const issuers = linesOf(form, 'softwareIssuers').map((line) => line.split(/\s+/))
  if (issuers.some((parts) => parts.length !== 2)) {
    return mistaken(form, { field: 'softwareIssuers', text: words.softwareIssuersWrong })
  }
  const clientRegistration = {
    mode: textOf(form, 'mode'),
    scopes: linesOf(form, 'scopes'),
    redirectHosts: linesOf(form, 'redirectHosts'),
    grantTypes: valuesOf(form, 'grantTypes'),
    requirePkce: textOf(form, 'requirePkce') === 'yes',
    assertionAudience: textOf(form, 'assertionAudience'),
    unusedDays: numberOf(form, 'unusedDays'),
    most: numberOf(form, 'most'),
    perNetwork: numberOf(form, 'perNetwork'),
    softwareIssuers: issuers.map(([issuer = '', jwksUri = '']) => ({ issuer, jwksUri })),
    requireStatement: textOf(form, 'requireStatement') === 'yes',
    documents: textOf(form, 'documents') === 'yes',
    documentHosts: linesOf(form, 'documentHosts'),
    documentDenied: linesOf(form, 'documentDenied'),
  }
  const api = await adminApi()
  const version = textOf(form, 'version')
  const saved = await api.send(changeSettings, { body: { clientRegistration }, version })
  if (saved.ok) redirect(`${PAGE}?done=settingsSaved`)
  const fields = FIELDS.map((name) => [`clientRegistration/${name}`, name])
  return refused(saved.problem, form, problems, Object.fromEntries(fields))
}

export async function createToken(
  _before: FormState,
  form: FormData,
): Promise<FormState<NewSecret>> {
  const api = await adminApi()
  const { registration: words, problems } = (await currentMessages()).admin
  const { now, origin } = await op()
  const days = Number(textOf(form, 'expiry')) || 1
  const body = {
    name: textOf(form, 'tokenName'),
    mostUses: numberOf(form, 'mostUses'),
    expiresAt: new Date(now().getTime() + days * DAY_MS).toISOString(),
  }
  const made = await api.send(tokens.createInitialToken, { body })
  if (!made.ok) return refused(made.problem, form, problems, { name: 'tokenName' })
  revalidatePath(PAGE)
  const endpoint = origin + paths.registration
  const text = `REGISTRATION_ENDPOINT=${endpoint}\nINITIAL_ACCESS_TOKEN=${made.body.token}\n`
  return {
    made: {
      title: words.tokenMade,
      values: [
        [words.token, made.body.token],
        [words.endpoint, endpoint],
      ],
      env: { name: 'registration.env', text },
      links: [],
    },
  }
}

export async function revokeToken(form: FormData): Promise<void> {
  const params = { token: textOf(form, 'id') }
  return press(tokens.revokeInitialToken, { params }, PAGE, 'tokenRevoked')
}
