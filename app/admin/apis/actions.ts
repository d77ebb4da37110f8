'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { ownersIn } from '@/lib/admin/api-owners'
import { type FormState, linesOf, mistaken, numberOf, refused } from '@/lib/admin/form'
import * as resources from '@/lib/api/routes/resources'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'

export async function createApi(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const params = { space: textOf(form, 'space') }
  const body = { ...apiIn(form), prefix: textOf(form, 'prefix').trim() }
  const made = await api.send(resources.createResource, { params, body })
  if (!made.ok) return refused(made.problem, form, problems, {}, problems.own.api)
  redirect(`/admin/apis/${made.body.id}?done=apiCreated`)
}

export async function saveApi(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const body = apiIn(form)
  const saved = await api.send(resources.changeResource, { ...seenIn(form), body })
  if (!saved.ok) return refused(saved.problem, form, problems, {}, problems.own.api)
  redirect(`/admin/apis/${encodeURIComponent(textOf(form, 'id'))}/settings?done=apiSaved`)
}

export async function saveGovernance(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, apis: words } = (await currentMessages()).admin
  const { owners, unknown } = await ownersIn(api, linesOf(form, 'owners'))
  if (unknown !== null) {
    return mistaken(form, { field: 'owners', text: fill(words.unknownOwner, { name: unknown }) })
  }
  const body = {
    owners,
    openToAppManagers: textOf(form, 'openToAppManagers') === 'yes',
    introspectors: linesOf(form, 'introspectors'),
  }
  const saved = await api.send(resources.changeResource, { ...seenIn(form), body })
  if (!saved.ok) return refused(saved.problem, form, problems)
  redirect(`/admin/apis/${encodeURIComponent(textOf(form, 'id'))}/settings?done=apiSaved`)
}

export async function deleteApi(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, form: words } = (await currentMessages()).admin
  if (textOf(form, 'typed') !== textOf(form, 'name')) {
    return mistaken(form, { field: 'typed', text: words.typeNameWrong })
  }
  const gone = await api.send(resources.deleteResource, seenIn(form))
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect('/admin/apis?done=apiDeleted')
}

/** Which API the form is about, and the version of it that was shown. */
function seenIn(form: FormData) {
  const params = { space: textOf(form, 'space'), id: textOf(form, 'id') }
  return { params, version: textOf(form, 'version') }
}

function apiIn(form: FormData) {
  return {
    name: textOf(form, 'name'),
    audience: textOf(form, 'audience').trim(),
    tokenSeconds: numberOf(form, 'tokenSeconds'),
    tokenAlg: textOf(form, 'tokenAlg') || null,
    enabled: textOf(form, 'enabled') === 'yes',
  }
}
