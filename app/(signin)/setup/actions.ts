'use server'

import { redirect } from 'next/navigation'
import type { PasswordProblem } from '@/lib/accounts/passwords'
import { completeSetUp } from '@/lib/accounts/set-up'
import { textOf } from '@/lib/browser/form'
import { beginSession, requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type SetUpProblem =
  | 'link'
  | 'name_missing'
  | 'name_long'
  | 'email_missing'
  | 'email'
  | 'password_missing'
  | 'passkey'
  | PasswordProblem

export type SetUpState = { name: string; email: string; problems: SetUpProblem[] }

export async function setUp(_before: SetUpState, form: FormData): Promise<SetUpState> {
  const name = textOf(form, 'name').trim()
  const email = textOf(form, 'email').trim()
  const wayIn = wayInFrom(form)
  const problems = missingFrom({ name, email, ...wayIn })
  if (problems.length > 0) return { name, email, problems }

  const result = await completeSetUp(await op(), {
    token: textOf(form, 'token'),
    name,
    email,
    ...wayIn,
    ...(await requestOrigin()),
  })
  if (!result.ok) return { name, email, problems: [result.problem] }
  await beginSession(result.started)
  // A passkey is two factors in one.
  redirect('passkey' in wayIn ? '/setup/check' : '/setup/protect')
}

function wayInFrom(form: FormData) {
  const response = textOf(form, 'passkey')
  if (response === '') return { password: textOf(form, 'password') }
  return { passkey: { userId: textOf(form, 'userId'), response } }
}

function missingFrom(fields: { name: string; email: string; password?: string }): SetUpProblem[] {
  const order = ['name', 'email', 'password'] as const
  return order.filter((field) => fields[field] === '').map((field) => `${field}_missing` as const)
}
