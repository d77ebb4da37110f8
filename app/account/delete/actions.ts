'use server'

import { redirect } from 'next/navigation'
import { askDeletion, type DeletionResult } from '@/lib/accounts/delete-account'
import { textOf } from '@/lib/browser/form'
import { endSessionHere, requestOrigin, requireConfirmed } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type DeleteState = {
  typed: string
  problem?: Extract<DeletionResult, { ok: false }>['problem']
}

export async function deleteAccount(_before: DeleteState, form: FormData): Promise<DeleteState> {
  const session = await requireConfirmed()
  const typed = textOf(form, 'typed').trim()
  const asked = await askDeletion(await op(), session, typed, await requestOrigin())
  if (!asked.ok) return { typed, problem: asked.problem }
  await endSessionHere()
  redirect('/account/delete/done')
}
