'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { applyDocument } from '@/lib/api/configuration/routes'
import type { BodyOf } from '@/lib/api/http/client'
import { type FieldError, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export type ConfigurationState = {
  document?: string
  problems?: FieldError[]
  /** What would change; shown before anything is changed. */
  changes?: string[]
}

/** First it is only checked; the second button sends the same document again, for good. */
export async function applyConfiguration(
  _before: ConfigurationState,
  form: FormData,
): Promise<ConfigurationState> {
  const api = await adminApi()
  const { admin } = await currentMessages()
  const document = await documentIn(form)
  const { body, problem } = readJson(document)
  if (body === undefined) {
    const { missing, notJson } = admin.configuration
    const text = problem === '' ? missing : notJson
    return { document, problems: mistaken(form, { field: 'document', text }).problems ?? [] }
  }
  const dryRun = textOf(form, 'confirmed') !== 'yes'
  const sent = await api.send(applyDocument, { query: { dryRun }, body })
  if (!sent.ok) {
    const problems = refused(sent.problem, form, admin.problems).problems ?? []
    return { document, problems: problems.map(({ text }) => ({ field: 'document', text })) }
  }
  if (!dryRun) redirect('/admin?done=configurationApplied')
  return { document, changes: sent.body.changes }
}

async function documentIn(form: FormData): Promise<string> {
  const file = form.get('file')
  if (file instanceof File && file.size > 0) return file.text()
  return textOf(form, 'document').trim()
}

type Body = BodyOf<typeof applyDocument>

/** The schema of the operation checks what the document says. */
function readJson(text: string): { body?: Body; problem: string } {
  if (text === '') return { problem: '' }
  try {
    return { body: JSON.parse(text), problem: '' }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
