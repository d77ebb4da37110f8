'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, type ApiResult, adminApi } from '@/lib/admin/api'
import { allChosenIn } from '@/lib/admin/choice'
import { newKeyIn, sendForm, sendNamed } from '@/lib/admin/form-call'
import { itemsIn, type NewItem } from '@/lib/admin/new-api'
import { listSpaces } from '@/lib/admin/spaces'
import { createPermission } from '@/lib/api/permissions/permissions'
import * as resources from '@/lib/api/permissions/resources'
import { createSpace } from '@/lib/api/permissions/spaces'
import { keyFrom } from '@/lib/base/key-from'
import { type FormState, mistaken, numberOf, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

/** The space, if it is new, the API and its first permissions, from one form. */
export async function createApi(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const home = await spaceIn(api, form)
  if (!home.ok) {
    return refused(home.problem, form, problems, { key: 'spaceName', name: 'spaceName' })
  }
  const params = { space: home.body.id }
  const body = { ...apiIn(form), prefix: newKeyIn(form, 'prefix') }
  const made = await api.send(resources.createResource, { params, body })
  if (!made.ok) return refused(made.problem, form, problems, {}, problems.own.api)
  const { id } = made.body
  const problem = await addItems(api, { ...params, id }, itemsIn(form, body.prefix))
  if (problem) return refused(problem, form, problems, { key: 'items', descriptions: 'items' })
  const isStep = textOf(form, 'from') === 'steps'
  redirect(isStep ? '/admin?done=stepApi' : `/admin/apis/${id}?done=apiCreated`)
}

type Made = { id: string; space: string }

/** What was refused; then the API is taken back, so that the form can be sent again. */
async function addItems(api: AdminApi, { id, space }: Made, items: readonly NewItem[]) {
  for (const item of items) {
    const body = { ...item, resource: id }
    const made = await api.send(createPermission, { params: { space }, body })
    if (made.ok) continue
    await api.send(resources.deleteResource, { params: { space, id }, version: '*' })
    return made.problem
  }
  return null
}

/** The chosen space; of a portal without any, the one that the form names. */
async function spaceIn(api: AdminApi, form: FormData): Promise<ApiResult<{ id: string }>> {
  const id = textOf(form, 'space')
  if (id !== '') return { ok: true, body: { id }, version: null }
  const name = textOf(form, 'spaceName').trim()
  const key = keyFrom(name) || 'main'
  const known = (await listSpaces(api)).find((space) => space.key === key)
  if (known) return { ok: true, body: known, version: null }
  return api.send(createSpace, { body: { key, name } })
}

export async function saveApi(_before: FormState, form: FormData): Promise<FormState> {
  const body = apiIn(form)
  const saved = await sendForm(form, resources.changeResource, { ...seenIn(form), body }, 'api')
  return saved.refused ?? redirect(settingsOf(form))
}

export async function saveGovernance(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { choose } = await currentMessages()
  const owners = await allChosenIn(api, 'owner', form, 'owners', choose)
  if (owners.mistake) return mistaken(form, owners.mistake)
  const introspectors = await allChosenIn(api, 'application', form, 'introspectors', choose)
  if (introspectors.mistake) return mistaken(form, introspectors.mistake)
  const body = {
    owners: owners.found.map(({ kind, id }) => ({ type: kind === 'group' ? kind : 'user', id })),
    openToAppManagers: textOf(form, 'openToAppManagers') === 'yes',
    introspectors: introspectors.found.map(({ id }) => id),
  }
  const saved = await sendForm(form, resources.changeResource, { ...seenIn(form), body })
  return saved.refused ?? redirect(settingsOf(form))
}

export async function saveMetadata(_before: FormState, form: FormData): Promise<FormState> {
  const body = {
    publishMetadata: textOf(form, 'publishMetadata') === 'yes',
    documentation: textOf(form, 'documentation').trim() || null,
  }
  const saved = await sendForm(form, resources.changeResource, { ...seenIn(form), body })
  return saved.refused ?? redirect(settingsOf(form))
}

export async function deleteApi(_before: FormState, form: FormData): Promise<FormState> {
  const gone = await sendNamed(form, resources.deleteResource, seenIn(form))
  return gone.refused ?? redirect('/admin/apis?done=apiDeleted')
}

/** Which API the form is about, and the version of it that was shown. */
function seenIn(form: FormData) {
  const params = { space: textOf(form, 'space'), id: textOf(form, 'id') }
  return { params, version: textOf(form, 'version') }
}

function settingsOf(form: FormData): string {
  return `/admin/apis/${encodeURIComponent(textOf(form, 'id'))}/settings?done=apiSaved`
}

function apiIn(form: FormData) {
  return {
    name: textOf(form, 'name'),
    audience: textOf(form, 'audience').trim(),
    subpaths: textOf(form, 'subpaths') === 'yes',
    tokenSeconds: numberOf(form, 'tokenSeconds'),
    tokenAlg: textOf(form, 'tokenAlg') || null,
    ...(form.has('tokenType') && { tokenType: textOf(form, 'tokenType') }),
    enabled: textOf(form, 'enabled') === 'yes',
  }
}
