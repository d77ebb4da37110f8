import type { AdminApi } from '@/lib/admin/api'
import { allChosenIn, itemsIn } from '@/lib/admin/choice'
import { HOUR_SECONDS } from '@/lib/base/time'
import { type FieldError, numberOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { APPROVER_KINDS, fieldAt, MAX_STEPS } from './stage-names'

type Approver =
  | { type: (typeof APPROVER_KINDS)[number][1]; id: string }
  | { type: 'api_owners' }
  | { type: 'manager'; attribute: string }

type Stage = {
  approvers: Approver[]
  needed: number
  deadlineSeconds: number
  escalateTo: Approver[]
}
type Mistaken = { mistake: FieldError }
type Read = { stages: Stage[]; fields: Record<string, string>; mistake?: never } | Mistaken

/** The steps of the form, and where the members of each stand in it. */
export async function stagesIn(api: AdminApi, form: FormData): Promise<Read> {
  const stages: Stage[] = []
  const fields: Record<string, string> = { stages: 'needed' }
  const steps = numberOf(form, 'steps')
  for (let at = 0; at < MAX_STEPS && form.has(fieldAt('needed', at)); at += 1) {
    if (textOf(form, fieldAt('remove', at)) === 'yes') continue
    const stage = await stageIn(api, form, at)
    if ('mistake' in stage) return stage
    if (stage.approvers.length === 0) {
      // The fields for another step were left empty.
      if (at >= steps) continue
      const { requestRules: words } = (await currentMessages()).admin
      return { mistake: { field: fieldAt('groups', at), text: words.approverMissing } }
    }
    const path = `stages/${stages.length}`
    fields[path] = fieldAt('needed', at)
    fields[`${path}/approvers`] = fieldAt('groups', at)
    fields[`${path}/escalateTo`] = fieldAt('later-groups', at)
    for (const index of managersAt(stage.approvers))
      fields[`${path}/approvers/${index}`] = fieldAt('manager', at)
    for (const index of managersAt(stage.escalateTo))
      fields[`${path}/escalateTo/${index}`] = fieldAt('later-manager', at)
    fields[`${path}/deadlineSeconds`] = fieldAt('deadlineHours', at)
    stages.push(stage)
  }
  return { stages, fields }
}

/** Where they stand among the approvers: they have a field of their own. */
function managersAt(approvers: readonly Approver[]): number[] {
  return approvers.flatMap(({ type }, at) => (type === 'manager' ? [at] : []))
}

async function stageIn(api: AdminApi, form: FormData, at: number): Promise<Stage | Mistaken> {
  const approvers = await approversIn(api, form, (of) => fieldAt(of, at))
  if ('mistake' in approvers) return approvers
  const escalateTo = await approversIn(api, form, (of) => fieldAt(`later-${of}`, at))
  if ('mistake' in escalateTo) return escalateTo
  return {
    approvers,
    needed: numberOf(form, fieldAt('needed', at)),
    deadlineSeconds: numberOf(form, fieldAt('deadlineHours', at)) * HOUR_SECONDS,
    escalateTo,
  }
}

async function approversIn(
  api: AdminApi,
  form: FormData,
  name: (of: string) => string,
): Promise<Approver[] | Mistaken> {
  const { choose } = await currentMessages()
  const approvers: Approver[] = []
  for (const [field, type] of APPROVER_KINDS) {
    const chosen = await allChosenIn(api, type, form, name(field), choose)
    if (chosen.mistake) return { mistake: chosen.mistake }
    approvers.push(...chosen.found.map(({ id }) => ({ type, id })))
  }
  if (textOf(form, name('owners')) === 'yes') approvers.push({ type: 'api_owners' })
  for (const attribute of itemsIn(form, name('manager'))) {
    approvers.push({ type: 'manager', attribute })
  }
  return approvers
}
