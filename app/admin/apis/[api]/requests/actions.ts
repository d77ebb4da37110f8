'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { sendForm } from '@/lib/admin/form-call'
import * as rules from '@/lib/api/requests/rule-routes'
import { HOUR_SECONDS } from '@/lib/base/time'
import { type FormState, linesOf, mistaken, numberOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { emergencyIn } from './emergency-in'
import { EMERGENCY_FIELDS } from './emergency-names'
import { stagesIn } from './stages-in'

/** Where the API's members stand in the form. */
const FIELDS = { maxSeconds: 'maxHours', ...EMERGENCY_FIELDS }

export async function createRule(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const read = await stagesIn(api, form)
  if (read.mistake) return mistaken(form, read.mistake)
  const opens = await emergencyIn(api, form)
  if ('mistake' in opens) return mistaken(form, opens.mistake)
  const { stages, fields } = read
  const body = { ...ruleIn(form), ...opens, api: textOf(form, 'api'), stages }
  const asked = { body }
  const made = await sendForm(form, rules.createRequestRule, asked, null, { ...FIELDS, ...fields })
  return made.refused ?? redirect(`${homeOf(form)}?done=ruleSaved`)
}

export async function saveRule(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const read = await stagesIn(api, form)
  if (read.mistake) return mistaken(form, read.mistake)
  const opens = textOf(form, 'keepEmergency') === 'yes' ? null : await emergencyIn(api, form)
  if (opens && 'mistake' in opens) return mistaken(form, opens.mistake)
  const { stages, fields } = read
  const body = { ...ruleIn(form), ...opens, stages }
  const asked = { ...seenIn(form), body }
  const saved = await sendForm(form, rules.changeRequestRule, asked, null, { ...FIELDS, ...fields })
  return saved.refused ?? redirect(`${homeOf(form)}?done=ruleSaved`)
}

export async function deleteRule(_before: FormState, form: FormData): Promise<FormState> {
  const gone = await sendForm(form, rules.deleteRequestRule, seenIn(form))
  return gone.refused ?? redirect(`${homeOf(form)}?done=ruleDeleted`)
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
    maxSeconds: Math.round(numberOf(form, 'maxHours') * HOUR_SECONDS),
    reasonRequired: textOf(form, 'reasonRequired') === 'yes',
    enabled: textOf(form, 'enabled') === 'yes',
  }
}
