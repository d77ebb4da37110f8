'use server'

import { redirect } from 'next/navigation'
import { type ApiProblem, adminApi } from '@/lib/admin/api'
import type { BodyOf } from '@/lib/api/http/client'
import * as settingsMail from '@/lib/api/settings/mail'
import { deleteProvider, putProvider } from '@/lib/api/settings/providers'
import { changeSettings } from '@/lib/api/settings/routes'
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
import { wayToConfirm } from '@/lib/browser/session'

const NUMBERS = [
  'passwordLength',
  'passwordLengthWithFactor',
  'trustedDeviceDays',
  'sessionIdleMinutes',
  'sessionHours',
  'confirmMinutes',
  'clientRequestsPerMinute',
  'decisionDays',
] as const

/** Too long ago that they confirmed who they are: on to where it is asked, and back to the form. */
async function confirmFirst({ code }: ApiProblem): Promise<void> {
  if (code === 'confirmation_needed') redirect(await wayToConfirm())
}

/** Each part's members are fields of the same name. */
function fieldsOf(part: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${part}/${name}`, name]))
}

async function change(
  form: FormData,
  body: BodyOf<typeof changeSettings>,
  fields: Record<string, string>,
  next: string,
): Promise<FormState> {
  const api = await adminApi()
  const saved = await api.send(changeSettings, { body, version: textOf(form, 'version') })
  if (!saved.ok) {
    await confirmFirst(saved.problem)
    const { problems } = (await currentMessages()).admin
    const own = { ...problems.own.portal, ...problems.own.security }
    return refused(saved.problem, form, problems, fields, own)
  }
  redirect(next)
}

export async function saveSecurity(_before: FormState, form: FormData): Promise<FormState> {
  // What the environment fixes is no field of the form.
  const numbers: Partial<Record<(typeof NUMBERS)[number], number>> = {}
  for (const name of NUMBERS) {
    if (form.has(name)) numbers[name] = numberOf(form, name)
  }
  const security = {
    ...numbers,
    breachedPasswords: textOf(form, 'breachedPasswords') === 'yes',
    mailSignIn: textOf(form, 'mailSignIn') === 'yes',
    adminSecondFactor: textOf(form, 'adminSecondFactor') === 'yes',
    requirePkce: textOf(form, 'requirePkce') === 'yes',
    impersonation: textOf(form, 'impersonation'),
    impersonators: textOf(form, 'impersonators'),
    ...(form.has('registration') && { registration: textOf(form, 'registration') }),
  }
  const chosen = ['impersonation', 'impersonators', 'registration']
  const fields = fieldsOf('security', [...NUMBERS, ...chosen])
  return change(form, { security }, fields, '/admin/settings?done=settingsSaved')
}

export async function saveLanguages(_before: FormState, form: FormData): Promise<FormState> {
  const languages = { default: textOf(form, 'default'), offered: valuesOf(form, 'offered') }
  const fields = fieldsOf('languages', ['default', 'offered'])
  return change(form, { languages }, fields, '/admin/settings/branding?done=settingsSaved')
}

// ---------------------------------------------------------------- mail

export async function saveMail(_before: FormState, form: FormData): Promise<FormState> {
  const password = textOf(form, 'password')
  const mail = {
    server: textOf(form, 'server'),
    from: textOf(form, 'from'),
    ...(password !== '' && { password }),
  }
  const fields = fieldsOf('mail', ['server', 'from', 'password'])
  form.delete('password') // a refused form comes back without it
  return change(form, { mail }, fields, '/admin/settings/mail?done=settingsSaved')
}

export async function removeMail(_before: FormState, form: FormData): Promise<FormState> {
  return change(form, { mail: null }, {}, '/admin/settings/mail?done=mailRemoved')
}

export type TestedMail = { to: string; sent: boolean; said: string }

export async function testMail(_before: FormState, form: FormData): Promise<FormState<TestedMail>> {
  const api = await adminApi()
  const tested = await api.send(settingsMail.testMail, {})
  if (tested.ok) return { made: tested.body }
  return refused(tested.problem, form, (await currentMessages()).admin.problems)
}

// ---------------------------------------------------------------- providers

function providerIn(form: FormData) {
  const text = (name: string) => textOf(form, name).trim()
  const own = { oidc: 'issuer', github: 'url', google: null, microsoft: 'tenant' } as const
  const kind = text('kind')
  const member = Object.hasOwn(own, kind) ? own[kind as keyof typeof own] : null
  const secret = textOf(form, 'clientSecret')
  return {
    kind,
    name: text('name'),
    clientId: text('clientId'),
    domains: linesOf(form, 'domains'),
    ...(member && text(member) !== '' && { [member]: text(member) }),
    ...(secret !== '' && { clientSecret: secret }),
  }
}

export async function saveProvider(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const params = { provider: textOf(form, 'id').trim() }
  const input = { params, body: providerIn(form), version: textOf(form, 'version') }
  const saved = await api.send(putProvider, input)
  if (saved.ok) redirect('/admin/settings/providers?done=providerSaved')
  await confirmFirst(saved.problem)
  const { problems } = (await currentMessages()).admin
  form.delete('clientSecret') // a refused form comes back without it
  return refused(saved.problem, form, problems, { provider: 'id' }, problems.own.provider)
}

export async function removeProvider(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, form: words } = (await currentMessages()).admin
  const name = textOf(form, 'name')
  if (textOf(form, 'typed') !== name) {
    return mistaken(form, { field: 'typed', text: words.typeNameWrong })
  }
  const params = { provider: textOf(form, 'id') }
  const gone = await api.send(deleteProvider, { params, version: textOf(form, 'version') })
  if (!gone.ok) {
    await confirmFirst(gone.problem)
    return refused(gone.problem, form, problems)
  }
  redirect('/admin/settings/providers?done=providerRemoved')
}
