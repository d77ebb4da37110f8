'use server'

import { redirect } from 'next/navigation'
import { type ApiProblem, adminApi } from '@/lib/admin/api'
import { chosenIn } from '@/lib/admin/choice'
import * as groups from '@/lib/api/routes/groups'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

const paramsIn = (form: FormData) => ({ group: textOf(form, 'id') })
const pageOf = (form: FormData) => `/admin/groups/${encodeURIComponent(textOf(form, 'id'))}`
const groupIn = (form: FormData) => ({ name: textOf(form, 'name'), key: textOf(form, 'key') })

export async function createGroup(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const made = await api.send(groups.createGroup, { body: groupIn(form) })
  if (!made.ok) return misread(made.problem, form)
  redirect(`/admin/groups/${made.body.id}?done=created`)
}

export async function saveGroup(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const version = textOf(form, 'version')
  const params = paramsIn(form)
  const saved = await api.send(groups.changeGroup, { params, body: groupIn(form), version })
  if (!saved.ok) return misread(saved.problem, form)
  redirect(`${pageOf(form)}?done=saved`)
}

export async function deleteGroup(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, form: words } = (await currentMessages()).admin
  if (textOf(form, 'typed') !== textOf(form, 'name')) {
    return mistaken(form, { field: 'typed', text: words.typeNameWrong })
  }
  const version = textOf(form, 'version')
  const gone = await api.send(groups.deleteGroup, { params: paramsIn(form), version })
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect('/admin/groups?done=deleted')
}

export async function addMember(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin, choose } = await currentMessages()
  const user = await chosenIn(api, 'user', form, 'user', choose)
  if (user.mistake) return mistaken(form, user.mistake)
  const params = { ...paramsIn(form), user: user.found.id }
  const added = await api.send(groups.addGroupMember, { params })
  if (!added.ok) return refused(added.problem, form, admin.problems)
  redirect(`${pageOf(form)}?done=saved`)
}

export async function takeMember(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { ...paramsIn(form), user: textOf(form, 'user') }
  const taken = await api.send(groups.removeGroupMember, { params })
  redirect(`${pageOf(form)}?done=${taken.ok ? 'saved' : 'refused'}`)
}

async function misread(problem: ApiProblem, form: FormData) {
  const { problems } = (await currentMessages()).admin
  return refused(problem, form, problems, {}, problems.own.group)
}
