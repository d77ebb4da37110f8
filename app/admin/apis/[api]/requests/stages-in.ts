import type { AdminApi } from '@/lib/admin/api'
import { itemsIn, type Party, partiesIn } from '@/lib/admin/choice'
import { HOUR_SECONDS } from '@/lib/base/time'
import { type FieldError, numberOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { fieldAt, MAX_STEPS } from './stage-names'

type Approver = Party | { type: 'api_owners' } | { type: 'manager'; attribute: string }

type Stage = {
  approvers: Approver[]
  needed: number
  deadlineSeconds: number
  escalateTo: Approver[]
}
type Read = { stages: Stage[]; fields: Record<string, string>; mistakes: FieldError[] }

/** The steps of the form, and where the members of each stand in it. */
export async function stagesIn(api: AdminApi, form: FormData): Promise<Read> {
  const stages: Stage[] = []
  const mistakes: FieldError[] = []
  const fields: Record<string, string> = { stages: 'approvers' }
  const steps = numberOf(form, 'steps')
  for (let at = 0; at < MAX_STEPS && form.has(fieldAt('needed', at)); at += 1) {
    if (textOf(form, fieldAt('remove', at)) === 'yes') continue
    const read = await stageIn(api, form, at)
    const isEmpty = read.stage.approvers.length === 0 && read.mistakes.length === 0
    // The fields for another step were left empty.
    if (isEmpty && at >= steps) continue
    mistakes.push(...read.mistakes)
    if (isEmpty) {
      const { requestRules: words } = (await currentMessages()).admin
      mistakes.push({ field: fieldAt('approvers', at), text: words.approverMissing })
    }
    Object.assign(fields, fieldsOf(read.stage, stages.length, at))
    stages.push(read.stage)
  }
  return { stages, fields, mistakes }
}

/** Of the step that the API gets at this index; in the form, others may stand before it. */
function fieldsOf(stage: Stage, index: number, at: number): Record<string, string> {
  const path = `stages/${index}`
  const ofManagers = (member: 'approvers' | 'escalateTo', field: string) =>
    managersAt(stage[member]).map((one) => [`${path}/${member}/${one}`, fieldAt(field, at)])
  return {
    [path]: fieldAt('needed', at),
    [`${path}/approvers`]: fieldAt('approvers', at),
    [`${path}/escalateTo`]: fieldAt('later', at),
    ...Object.fromEntries(ofManagers('approvers', 'manager')),
    ...Object.fromEntries(ofManagers('escalateTo', 'later-manager')),
    [`${path}/deadlineSeconds`]: fieldAt('deadlineHours', at),
  }
}

/** Where they stand among the approvers: they have a field of their own. */
function managersAt(approvers: readonly Approver[]): number[] {
  return approvers.flatMap(({ type }, at) => (type === 'manager' ? [at] : []))
}

async function stageIn(api: AdminApi, form: FormData, at: number) {
  const [approving, later] = await Promise.all([
    approversIn(api, form, fieldAt('approvers', at), (of) => fieldAt(of, at)),
    approversIn(api, form, fieldAt('later', at), (of) => fieldAt(`later-${of}`, at)),
  ])
  const stage: Stage = {
    approvers: approving.approvers,
    needed: numberOf(form, fieldAt('needed', at)),
    deadlineSeconds: numberOf(form, fieldAt('deadlineHours', at)) * HOUR_SECONDS,
    escalateTo: later.approvers,
  }
  return { stage, mistakes: [...approving.mistakes, ...later.mistakes] }
}

async function approversIn(
  api: AdminApi,
  form: FormData,
  field: string,
  name: (of: string) => string,
): Promise<{ approvers: Approver[]; mistakes: FieldError[] }> {
  const { choose } = await currentMessages()
  const { parties, mistakes } = await partiesIn(api, form, field, choose)
  const approvers: Approver[] = [...parties]
  if (textOf(form, name('owners')) === 'yes') approvers.push({ type: 'api_owners' })
  for (const attribute of itemsIn(form, name('manager'))) {
    approvers.push({ type: 'manager', attribute })
  }
  return { approvers, mistakes }
}
