'use server'

import { redirect } from 'next/navigation'
import type { CodeProblem } from '@/lib/accounts/device'
import { enterCodeHere } from '@/lib/browser/device'
import { textOf } from '@/lib/browser/form'
import { withFormStatus } from '@/lib/browser/form-status'

export type CodeState = { typed: string; problem?: CodeProblem; retryAfterSeconds?: number }

export async function sendCode(_before: CodeState, form: FormData): Promise<CodeState> {
  const typed = textOf(form, 'user_code')
  const entered = await enterCodeHere(typed)
  if (entered.ok) redirect(entered.goTo)
  const { ok: _, ...problem } = entered
  return withFormStatus({ typed, ...problem })
}
