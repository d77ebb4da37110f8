'use server'

import { redirect } from 'next/navigation'
import { acceptInvitation } from '@/lib/accounts/invitation'
import type { PasswordProblem } from '@/lib/accounts/passwords'
import { textOf } from '@/lib/browser/form'
import { requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type InviteState = { problem?: 'link' | 'password_missing' | PasswordProblem }

export async function accept(_before: InviteState, form: FormData): Promise<InviteState> {
  const [token, password] = [textOf(form, 'token'), textOf(form, 'password')]
  if (password === '') return { problem: 'password_missing' }
  const accepted = await acceptInvitation(await op(), {
    token,
    password,
    ...(await requestOrigin()),
  })
  if (!accepted.ok) return { problem: accepted.problem }
  redirect('/invite/done')
}
