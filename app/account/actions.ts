'use server'

import { redirect } from 'next/navigation'
import {
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileFields,
  type ProfileProblem,
  saveProfile,
} from '@/lib/accounts/profile'
import { textOf } from '@/lib/browser/form'
import { requestOrigin, requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type ProfileState = { fields?: ProfileFields; problems?: ProfileProblem[] | 'conflict' }

export async function changeProfile(_before: ProfileState, form: FormData): Promise<ProfileState> {
  const session = await requireUser()
  const typed = PROFILE_FIELDS.map((field) => [field, textOf(form, field)])
  const fields: Record<ProfileField, string> = Object.fromEntries(typed)
  const saved = await saveProfile(await op(), session, fields, await requestOrigin())
  if (!saved.ok) return { fields, problems: saved.problems }
  redirect('/account?done=profile')
}
