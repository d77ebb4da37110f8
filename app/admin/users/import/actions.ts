'use server'

import { adminApi } from '@/lib/admin/api'
import * as files from '@/lib/api/users/user-files'
import { errorText, type FieldError, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export type ImportState = { csv?: string; problems?: FieldError[]; result?: files.ImportedUser }

/** First it is only checked; the second button sends the same table again, for good. */
export async function importUsers(_before: ImportState, form: FormData): Promise<ImportState> {
  const api = await adminApi()
  const { problems, users } = (await currentMessages()).admin
  const csv = await tableIn(form)
  if (csv === '') return { problems: [{ field: 'csv', text: users.importing.empty }] }
  const dryRun = textOf(form, 'confirmed') !== 'yes'
  const sent = await api.send(files.importUsers, { body: { csv, dryRun } })
  if (!sent.ok) return { csv, problems: refused(sent.problem, form, problems).problems ?? [] }
  const data = sent.body.data.map((row) => {
    const [first] = row.errors
    if (!first) return row
    return { ...row, detail: `${first.pointer.slice(1)}: ${errorText(first, problems)}` }
  })
  return { csv, result: { ...sent.body, data } }
}

async function tableIn(form: FormData): Promise<string> {
  const file = form.get('file')
  if (file instanceof File && file.size > 0) return file.text()
  return textOf(form, 'csv')
}
