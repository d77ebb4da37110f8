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
  const answer = textOf(form, 'answer')
  const policyVersion = Number(textOf(form, 'policy'))
  const at = `${CHANGES_PATH}/${encodeURIComponent(id)}`
  // Only a button that was pressed is an answer.
  if (!change || (answer !== 'yes' && answer !== 'no')) redirect(at)
  const given = { confirmed: answer === 'yes', policyVersion }
  const counted = await answerChange(portal, change, given, ip)
  redirect(counted ? at : `${at}?again=1`)
}
