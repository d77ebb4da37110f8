'use server'

import { adminApi } from '@/lib/admin/api'
import * as inspection from '@/lib/api/applications/token-inspection'
import { problemText } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

type InspectionState = { found?: inspection.InspectionWire; problem?: string }

/** The token goes to the API and nowhere else: it does not come back with the answer. */
export async function inspectToken(
  _before: InspectionState,
  form: FormData,
): Promise<InspectionState> {
  const api = await adminApi()
  const { problems, tools } = (await currentMessages()).admin
  const token = textOf(form, 'token').trim()
  if (token === '') return { problem: tools.token.unreadable }
  const answer = await api.send(inspection.inspectToken, { body: { token } })
  return answer.ok ? { found: answer.body } : { problem: problemText(answer.problem, problems) }
}
