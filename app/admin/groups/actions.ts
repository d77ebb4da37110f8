'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { chosenIn } from '@/lib/admin/choice'
import { newKeyIn, press, sendForm, sendNamed } from '@/lib/admin/form-call'
import * as groups from '@/lib/api/permissions/groups'
import { type FormState, mistaken } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

const paramsIn = (form: FormData) => ({ group: textOf(form, 'id') })
const pageOf = (form: FormData) => `/admin/groups/${encodeURIComponent(textOf(form, 'id'))}`
const groupIn = (form: FormData) => ({ name: textOf(form, 'name'), key: textOf(form, 'key') })

export async function createGroup(_before: FormState, form: FormData): Promise<FormState> {
  const body = { ...groupIn(form), key: newKeyIn(form) }
  const made = await sendForm(form, groups.createGroup, { body }, 'group')
  return made.refused ?? redirect(`/admin/groups/${made.body.id}?done=created`)
}

export async function saveGroup(_before: FormState, form: FormData): Promise<FormState> {
  const version = textOf(form, 'version')
  const params = paramsIn(form)
  const asked = { params, body: groupIn(form), version }
  const saved = await sendForm(form, groups.changeGroup, asked, 'group')
  return saved.refused ?? redirect(`${pageOf(form)}?done=saved`)
}

export async function deleteGroup(_before: FormState, form: FormData): Promise<FormState> {
  const version = textOf(form, 'version')
  const gone = await sendNamed(form, groups.deleteGroup, { params: paramsIn(form), version })
  return gone.refused ?? redirect('/admin/groups?done=deleted')
}

export async function addMember(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { choose } = await currentMessages()
  const user = await chosenIn(api, 'user', form, 'user', choose)
  if (user.mistake) return mistaken(form, user.mistake)
  const params = { ...paramsIn(form), user: user.found.id }
  const added = await sendForm(form, groups.addGroupMember, { params })
  return added.refused ?? redirect(`${pageOf(form)}?done=saved`)
}

export async function takeMember(form: FormData): Promise<void> {
  const params = { ...paramsIn(form), user: textOf(form, 'user') }
  return press(groups.removeGroupMember, { params }, pageOf(form), 'saved')
}
