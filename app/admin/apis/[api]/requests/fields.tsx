import type { AdminApi } from '@/lib/admin/api'
import { type ChoiceKind, foundIn, meaningOf } from '@/lib/admin/choice'
import type { RequestRuleWire } from '@/lib/api/routes/request-rules'
import type { ResourceWire } from '@/lib/api/routes/resources'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { ChooseMany, searchSource } from '../../../_ui/choose'
import { Check, TextArea, TextInput } from '../../../_ui/form'
import { EmergencyFields } from './emergency-fields'
import { Steps } from './steps'

const HOUR = 60 * 60
const DAY_HOURS = 24

type Props = { api: AdminApi; resource: ResourceWire; rule?: RequestRuleWire }

/** Several steps, managers and people who decide later are shown, and changed with the API. */
export function isPlain({ stages }: RequestRuleWire): boolean {
  const [first, ...others] = stages
  if (!first || others.length > 0 || first.escalateTo.length > 0) return false
  return first.approvers.every(({ type }) => type !== 'manager')
}

export async function RuleFields({ api, resource, rule }: Props) {
  const { requestRules: words } = (await currentMessages()).admin
  return (
    <>
      <TextInput
        name="name"
        label={words.name}
        hint={words.nameHint}
        defaultValue={rule?.name ?? ''}
      />
      <TextArea
        name="patterns"
        label={words.patterns}
        hint={fill(words.patternsHint, { prefix: resource.prefix })}
        defaultValue={rule?.patterns.join('\n') ?? ''}
        code
      />
      <TextInput
        type="number"
        name="maxHours"
        label={words.maxHours}
        hint={words.maxHoursHint}
        defaultValue={hoursOf(rule?.maxSeconds, DAY_HOURS)}
      />
      {rule && !isPlain(rule) ? (
        <div className="grid gap-3">
          <p className="text-muted">{words.stagesReadOnly}</p>
          <Steps rule={rule} />
        </div>
      ) : (
        <StageFields api={api} stage={rule?.stages[0]} />
      )}
      <EmergencyFields api={api} rule={rule} />
      <Check
        name="reasonRequired"
        label={words.reasonRequired}
        checked={rule?.reasonRequired ?? true}
      />
      <Check name="enabled" label={words.enabled} checked={rule?.enabled ?? true} />
    </>
  )
}

type Stage = RequestRuleWire['stages'][number]

async function StageFields({ api, stage }: { api: AdminApi; stage: Stage | undefined }) {
  const { requestRules: words } = (await currentMessages()).admin
  const kinds = [
    ['roles', 'role'],
    ['groups', 'group'],
    ['users', 'user'],
  ] as const
  const ownersDecide = stage?.approvers.some(({ type }) => type === 'api_owners') ?? false
  return (
    <fieldset className="grid min-w-0 gap-6">
      <legend className="mb-2 font-semibold text-lead">{words.approvers}</legend>
      <p className="text-muted">{words.approversHint}</p>
      {kinds.map(([field, kind]) => (
        <Approvers key={kind} api={api} field={field} kind={kind} stage={stage} />
      ))}
      <Check name="owners" label={words.owners} checked={ownersDecide} />
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <TextInput
          type="number"
          name="needed"
          label={words.needed}
          hint={words.neededHint}
          defaultValue={String(stage?.needed ?? 1)}
        />
        <TextInput
          type="number"
          name="deadlineHours"
          label={words.deadlineHours}
          hint={words.deadlineHoursHint}
          defaultValue={hoursOf(stage?.deadlineSeconds, 3 * DAY_HOURS)}
        />
      </div>
    </fieldset>
  )
}

type ApproversProps = {
  api: AdminApi
  field: 'roles' | 'groups' | 'users'
  kind: Extract<ChoiceKind, 'role' | 'group' | 'user'>
  stage: Stage | undefined
}

async function Approvers({ api, field, kind, stage }: ApproversProps) {
  const { requestRules: words } = (await currentMessages()).admin
  const ids = (stage?.approvers ?? []).flatMap(({ type, id }) => (type === kind && id ? [id] : []))
  const chosen = await Promise.all(
    ids.map(async (id) => {
      const found = foundIn(await meaningOf(api, kind, id))
      return { value: id, label: found?.name ?? id, hint: found?.hint ?? null }
    }),
  )
  return (
    <ChooseMany name={field} label={words[field]} source={searchSource(kind)} chosen={chosen} />
  )
}

/** In hours, as the form has it. */
function hoursOf(seconds: number | undefined, usual: number): string {
  return String(seconds === undefined ? usual : seconds / HOUR)
}
