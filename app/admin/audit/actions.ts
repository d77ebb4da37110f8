'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'
import { type VerifiedWire, verifyAuditEvents } from '@/lib/api/routes/audit'
import { createAuditView, deleteAuditView } from '@/lib/api/routes/audit-views'
import { type FormState, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export async function saveView(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const query = textOf(form, 'query')
  const body = { name: textOf(form, 'name'), query }
  const saved = await api.send(createAuditView, { body })
  if (!saved.ok) return refused(saved.problem, form, problems, {}, problems.own.view)
  redirect(`/admin/audit?${query}&done=viewSaved`)
}

export async function deleteView(form: FormData): Promise<void> {
  const api = await adminApi()
  const gone = await api.send(deleteAuditView, { params: { id: textOf(form, 'id') } })
  redirect(`/admin/audit?done=${gone.ok ? 'viewDeleted' : 'refused'}`)
}

const LONGEST_MS = 8_000

/** As far as it comes in some seconds; the next press goes on from there. */
export async function verify(
  before: FormState<VerifiedWire>,
  _form: FormData,
): Promise<FormState<VerifiedWire>> {
  const api = await adminApi()
  const far = before.made?.state === 'unfinished' ? before.made : null
  return { made: await verifyOn(api, far?.upTo ?? '0', far?.checked ?? 0) }
}

async function verifyOn(api: AdminApi, from: string, known: number): Promise<VerifiedWire> {
  const deadline = performance.now() + LONGEST_MS
  let checked = known
  for (let after = from; ; ) {
    const done = await api.get(verifyAuditEvents, { query: { after } })
    checked += done.checked
    if (done.state !== 'unfinished' || performance.now() > deadline) return { ...done, checked }
    after = done.upTo
  }
}
