'use server'

import { redirect } from 'next/navigation'
import { acceptInvitation } from '@/lib/accounts/invitation'
import type { PasswordProblem } from '@/lib/accounts/passwords'
import { keepMethod } from '@/lib/browser/browser-memory'
import { textOf } from '@/lib/browser/form'
import { beginSession, signInFrom, thisBrowser } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type InviteState = { problem?: 'link' | 'passkey' | 'password_missing' | PasswordProblem }

export async function accept(_before: InviteState, form: FormData): Promise<InviteState> {
  const [token, password, passkey] = ['token', 'password', 'passkey'].map((name) =>
    textOf(form, name),
  ) as [string, string, string]
  if (password === '' && passkey === '') return { problem: 'password_missing' }
  const wayIn = passkey === '' ? { token, password } : { token, passkey }
  const portal = await op()
  const accepted = await acceptInvitation(portal, wayIn, await signInFrom())
  if (!accepted.ok) return { problem: accepted.problem }
  keepMethod(portal, await thisBrowser(), accepted.method)
  if (!accepted.started) redirect('/invite/done?next=login')
  await beginSession(accepted.started)
  redirect('/invite/done')
}
