'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'
import { allChosenIn } from '@/lib/admin/choice'
import {
  type FieldError,
  type FormState,
  linesOf,
  mistaken,
  numberOf,
  refused,
} from '@/lib/admin/form'
import * as rules from '@/lib/api/routes/request-rules'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { emergencyIn } from './emergency-in'
import { EMERGENCY_FIELDS } from './emergency-names'

const HOUR = 60 * 60

/** Where the API's members stand in the form. */
const FIELDS = {
  maxSeconds: 'maxHours',
  'stages/0/approvers': 'groups',
  'stages/0/deadlineSeconds': 'deadlineHours',
  stages: 'needed',
  ...EMERGENCY_FIELDS,
}

export async function createRule(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const stage = await stageIn(api, form)
  if ('mistake' in stage) return mistaken(form, stage.mistake)
  const opens = await emergencyIn(api, form)
  if ('mistake' in opens) return mistaken(form, opens.mistake)
  const body = { ...ruleIn(form), ...opens, api: textOf(form, 'api'), stages: [stage] }
  const made = await api.send(rules.createRequestRule, { body })
  if (!made.ok) return refused(made.problem, form, problems, FIELDS)
  redirect(`${homeOf(form)}?done=ruleSaved`)
}

export async function saveRule(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const stage = textOf(form, 'keepStages') === 'yes' ? null : await stageIn(api, form)
  if (stage && 'mistake' in stage) return mistaken(form, stage.mistake)
  const opens = textOf(form, 'keepEmergency') === 'yes' ? null : await emergencyIn(api, form)
  if (opens && 'mistake' in opens) return mistaken(form, opens.mistake)
  const body = { ...ruleIn(form), ...opens, ...(stage && { stages: [stage] }) }
  const saved = await api.send(rules.changeRequestRule, { ...seenIn(form), body })
  if (!saved.ok) return refused(saved.problem, form, problems, FIELDS)
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
    maxSeconds: numberOf(form, 'maxHours') * HOUR,
    reasonRequired: textOf(form, 'reasonRequired') === 'yes',
    enabled: textOf(form, 'enabled') === 'yes',
  }
}

const KINDS = [
  ['roles', 'role'],
  ['groups', 'group'],
  ['users', 'user'],
] as const

type Approver = { type: (typeof KINDS)[number][1]; id: string } | { type: 'api_owners' }

async function stageIn(api: AdminApi, form: FormData) {
  const { admin, choose } = await currentMessages()
  const approvers: Approver[] = []
  for (const [field, type] of KINDS) {
    const chosen = await allChosenIn(api, type, form, field, choose)
    if (chosen.mistake) return { mistake: chosen.mistake }
    approvers.push(...chosen.found.map(({ id }) => ({ type, id })))
  }
  if (textOf(form, 'owners') === 'yes') approvers.push({ type: 'api_owners' })
  if (approvers.length === 0) {
    const mistake: FieldError = { field: 'groups', text: admin.requestRules.approverMissing }
    return { mistake }
  }
  return {
    approvers,
    needed: numberOf(form, 'needed'),
    deadlineSeconds: numberOf(form, 'deadlineHours') * HOUR,
    escalateTo: [],
  }
}
