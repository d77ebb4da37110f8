'use server'

import { redirect } from 'next/navigation'
import { saveOwnAttributes } from '@/lib/accounts/own-attributes'
import {
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileFields,
  type ProfileProblem,
  saveProfile,
} from '@/lib/accounts/profile'
import { textOf } from '@/lib/browser/form'
import { requestOrigin, requireUserOrImpersonator } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { ATTRIBUTE_FIELD } from '@/lib/settings/attribute-text'

export type ProfileState = { fields?: ProfileFields; problems?: ProfileProblem[] | 'conflict' }

export async function changeProfile(_before: ProfileState, form: FormData): Promise<ProfileState> {
  const session = await requireUserOrImpersonator()
  const typed = PROFILE_FIELDS.map((field) => [field, textOf(form, field)])
  const fields: Record<ProfileField, string> = Object.fromEntries(typed)
  const saved = await saveProfile(await op(), session, fields, await requestOrigin())
  if (!saved.ok) return { fields, problems: saved.problems }
  redirect('/account?done=profile')
}

/** `wrong`: the key of what is not of its type; null if somebody else changed it meanwhile. */
export type AttributesState = { typed?: Record<string, string>; wrong?: string | null }

export async function changeAttributes(
  _before: AttributesState,
  form: FormData,
): Promise<AttributesState> {
  const session = await requireUserOrImpersonator()
  const read = (field: string) => textOf(form, field)
  const saved = await saveOwnAttributes(await op(), session, read, await requestOrigin())
  if (saved.ok) redirect('/account?done=profile')
  const names = [...form.keys()].filter((name) => name.startsWith(ATTRIBUTE_FIELD))
  const typed = names.map((name) => [name.slice(ATTRIBUTE_FIELD.length), textOf(form, name)])
  return { typed: Object.fromEntries(typed), wrong: saved.wrong }
}
