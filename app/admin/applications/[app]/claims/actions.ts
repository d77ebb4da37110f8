'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { changeApplication } from '@/lib/api/applications/applications'
import { type FormState, refused, valuesOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

const MAX_ROWS = 1_000

/** One row of the form for each attribute; a row without a claim is no mapping. */
export async function saveClaims(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const id = textOf(form, 'id')
  const length = Math.min(Number(textOf(form, 'rows')) || 0, MAX_ROWS)
  const rows = Array.from({ length }, (_, row) => row)
  const filled = rows.filter((row) => textOf(form, `claim-${row}`).trim() !== '')
  const claimMappings = filled.map((row) => ({
    attribute: textOf(form, `attribute-${row}`),
    claim: textOf(form, `claim-${row}`).trim(),
    in: valuesOf(form, `in-${row}`),
  }))
  const body = { profileInIdToken: textOf(form, 'profileInIdToken') === 'yes', claimMappings }
  const version = textOf(form, 'version')
  const saved = await api.send(changeApplication, { params: { id }, version, body })
  if (saved.ok) redirect(`/admin/applications/${encodeURIComponent(id)}/claims?done=appSaved`)
  const fields = filled.flatMap((row, at) => [
    [`claimMappings/${at}/attribute`, `claim-${row}`],
    [`claimMappings/${at}/claim`, `claim-${row}`],
    [`claimMappings/${at}/in`, `claim-${row}`],
  ])
  const { problems } = (await currentMessages()).admin
  return refused(saved.problem, form, problems, Object.fromEntries(fields))
}
