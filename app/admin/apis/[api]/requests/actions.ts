'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import * as rules from '@/lib/api/routes/request-rules'
import { type FormState, linesOf, mistaken, numberOf, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { emergencyIn } from './emergency-in'
import { EMERGENCY_FIELDS } from './emergency-names'
import { stagesIn } from './stages-in'

const HOUR = 60 * 60

/** Where the API's members stand in the form. */
const FIELDS = { maxSeconds: 'maxHours', ...EMERGENCY_FIELDS }

export async function createRule(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const read = await stagesIn(api, form)
  if (read.mistake) return mistaken(form, read.mistake)
  const opens = await emergencyIn(api, form)
  if ('mistake' in opens) return mistaken(form, opens.mistake)
  const { stages, fields } = read
  const body = { ...ruleIn(form), ...opens, api: textOf(form, 'api'), stages }
  const made = await api.send(rules.createRequestRule, { body })
  if (!made.ok) return refused(made.problem, form, problems, { ...FIELDS, ...fields })
  redirect(`${homeOf(form)}?done=ruleSaved`)
}

export async function saveRule(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const read = await stagesIn(api, form)
  if (read.mistake) return mistaken(form, read.mistake)
  const opens = textOf(form, 'keepEmergency') === 'yes' ? null : await emergencyIn(api, form)
  if (opens && 'mistake' in opens) return mistaken(form, opens.mistake)
  const { stages, fields } = read
  const body = { ...ruleIn(form), ...opens, stages }
  const saved = await api.send(rules.changeRequestRule, { ...seenIn(form), body })
  if (!saved.ok) return refused(saved.problem, form, problems, { ...FIELDS, ...fields })
  redirect(`${homeOf(form)}?done=ruleSaved`)
}

export async function deleteRule(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const gone = await api.send(rules.deleteRequestRule, seenIn(form))
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect(`${homeOf(form)}?done=ruleDeleted`)
}

/** Which rule the form is about, and the version of it that was shown. */
function seenIn(form: FormData) {
  return { params: { rule: textOf(form, 'rule') }, version: textOf(form, 'version') }
}

function homeOf(form: FormData): string {
  return `/admin/apis/${encodeURIComponent(textOf(form, 'api'))}/requests`
}

function ruleIn(form: FormData) {
  return {
    name: textOf(form, 'name').trim(),
    patterns: linesOf(form, 'patterns'),
    maxSeconds: Math.round(numberOf(form, 'maxHours') * HOUR),
    reasonRequired: textOf(form, 'reasonRequired') === 'yes',
    enabled: textOf(form, 'enabled') === 'yes',
  }
}
