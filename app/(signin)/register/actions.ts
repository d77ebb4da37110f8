'use server'

import { redirect } from 'next/navigation'
import { type RegistrationResult, register } from '@/lib/accounts/register'
import { textOf } from '@/lib/browser/form'
import { currentLocale } from '@/lib/browser/locale'
import { returningTo, safeReturnTo } from '@/lib/browser/return-to'
import { requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'

const FIELDS = ['name', 'email', 'password'] as const

export type RegisterProblem =
  | Exclude<RegistrationResult, { ok: true }>['problem']
  | `${(typeof FIELDS)[number]}_missing`

export type RegisterState = {
  name: string
  email: string
  problems: RegisterProblem[]
  retryAfterSeconds?: number
}

export async function createAccount(
  _before: RegisterState,
  form: FormData,
): Promise<RegisterState> {
  const name = textOf(form, 'name').trim()
  const email = textOf(form, 'email').trim()
  const password = textOf(form, 'password')
  const typed = { name, email, password }
  const problems = FIELDS.filter((field) => !typed[field]).map(
    (field) => `${field}_missing` as const,
  )
  if (problems.length > 0) return { name, email, problems }

  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const { ip } = await requestOrigin()
  const locale = await currentLocale()
  const result = await register(await op(), { ...typed, locale, returnTo, ip })
  if (result.ok) redirect(returningTo('/register/sent', returnTo))
  const { problem, ...more } = result
  return { name, email, problems: [problem], ...('retryAfterSeconds' in more && more) }
}
