'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { allMistaken, sendForm } from '@/lib/admin/form-call'
import * as rules from '@/lib/api/requests/rule-routes'
import { HOUR_SECONDS } from '@/lib/base/time'
import { type FormState, linesOf, numberOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { EMERGENCY_FIELDS, emergencyIn } from './emergency-in'
import { stagesIn } from './stages-in'

/** Where the API's members stand in the form. */
const FIELDS = { maxSeconds: 'maxHours', ...EMERGENCY_FIELDS }

export async function createRule(_before: FormState, form: FormData): Promise<FormState> {
  const { body: fields, places, mistakes } = await ruleIn(form)
  const body = { ...fields, api: textOf(form, 'api') }
  if (mistakes.length > 0) return allMistaken(form, mistakes, rules.createRequestRule, body, places)
  const made = await sendForm(form, rules.createRequestRule, { body }, null, places)
  return made.refused ?? redirect(`${homeOf(form)}?done=ruleSaved`)
}

export async function saveRule(_before: FormState, form: FormData): Promise<FormState> {
  const { body, places, mistakes } = await ruleIn(form)
  if (mistakes.length > 0) return allMistaken(form, mistakes, rules.changeRequestRule, body, places)
  const asked = { ...seenIn(form), body }
  const saved = await sendForm(form, rules.changeRequestRule, asked, null, places)
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

/** The rule, where the members of the API stand in the form, and what the form finds wrong. */
async function ruleIn(form: FormData) {
  const api = await adminApi()
  const { stages, fields, mistakes } = await stagesIn(api, form)
  const keeps = textOf(form, 'keepEmergency') === 'yes'
  const opening = keeps ? null : await emergencyIn(api, form)
  const body = {
    name: textOf(form, 'name').trim(),
    patterns: linesOf(form, 'patterns'),
    maxSeconds: Math.round(numberOf(form, 'maxHours') * HOUR_SECONDS),
    reasonRequired: textOf(form, 'reasonRequired') === 'yes',
    enabled: textOf(form, 'enabled') === 'yes',
    stages,
    ...(opening && { emergency: opening.emergency }),
  }
  return {
    body,
    places: { ...FIELDS, ...fields },
    mistakes: [...mistakes, ...(opening?.mistakes ?? [])],
  }
}
