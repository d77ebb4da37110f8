'use server'

import { redirect } from 'next/navigation'
import { withQuery } from '@/lib/admin/api'
import { sendForm } from '@/lib/admin/form-call'
import * as reports from '@/lib/api/records/clean-up'
import { type FormState, mistaken, valuesOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export async function cleanUp(_before: FormState, form: FormData): Promise<FormState> {
  const { access } = (await currentMessages()).admin
  const grants = valuesOf(form, 'grant')
  const scopes = valuesOf(form, 'scope')
  const narrow = textOf(form, 'narrowTo')
  if (grants.length + scopes.length === 0 && narrow === '') {
    return mistaken(form, { field: 'grant', text: access.cleanUp.nothingChosen })
  }
  const days = Number(textOf(form, 'days'))
  const body = { client: textOf(form, 'client'), days, grants, scopes, ...narrowing(narrow) }
  const done = await sendForm(form, reports.cleanUp, { body })
  return done.refused ?? redirect(withQuery('/admin/reports', { days, done: 'cleanedUp' }))
}

function narrowing(text: string): { narrowTo?: string[] } {
  return text === '' ? {} : { narrowTo: text.split(' ') }
}
