'use server'

import { redirect } from 'next/navigation'
import { answerChange, CHANGES_PATH, changeFor } from '@/lib/api/mcp/confirmation'
import { textOf } from '@/lib/browser/form'
import { requestOrigin, requireOwnFactor, requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'

export async function answerIt(form: FormData): Promise<void> {
  const session = await requireUser()
  await requireOwnFactor(session)
  const portal = await op()
  const id = textOf(form, 'change')
  const change = await changeFor(portal, session.user.id, id)
  const { ip } = await requestOrigin()
  if (change) await answerChange(portal, change, textOf(form, 'answer') !== 'no', ip)
  redirect(`${CHANGES_PATH}/${encodeURIComponent(id)}`)
}
