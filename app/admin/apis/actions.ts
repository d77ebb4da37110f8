'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { allChosenIn } from '@/lib/admin/choice'
import { type FormState, mistaken, numberOf, refused } from '@/lib/admin/form'
import * as resources from '@/lib/api/routes/resources'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

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
  const { admin, choose } = await currentMessages()
  const { problems } = admin
  const owners = await allChosenIn(api, 'owner', form, 'owners', choose)
  if (owners.mistake) return mistaken(form, owners.mistake)
  const introspectors = await allChosenIn(api, 'application', form, 'introspectors', choose)
  if (introspectors.mistake) return mistaken(form, introspectors.mistake)
  const body = {
    owners: owners.found.map(({ kind, id }) => ({ type: kind === 'group' ? kind : 'user', id })),
    openToAppManagers: textOf(form, 'openToAppManagers') === 'yes',
    introspectors: introspectors.found.map(({ id }) => id),
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
