import { worded } from '@/app/_ui/worded'
import type { AdminApi } from '@/lib/admin/api'
import type { RequestRuleWire } from '@/lib/api/requests/rule-routes'
import { HOUR_SECONDS } from '@/lib/base/time'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { ChooseParties } from '../../../_ui/choose-parties'
import { Fold } from '../../../_ui/fold'
import { Check, TextInput } from '../../../_ui/form'
import { fieldAt, MAX_STEPS } from './stage-names'

const THREE_DAYS_HOURS = 72

type Stage = RequestRuleWire['stages'][number]
type Approvers = Stage['approvers']

type Props = { api: AdminApi; stages: readonly Stage[] }

/** Who decides, step by step; the last fields add a step, and are left empty if there is none. */
export async function StageFields({ api, stages }: Props) {
  const { requestRules: words } = (await currentMessages()).admin
  const shown: readonly (Stage | undefined)[] = stages.length === 0 ? [undefined] : stages
  return (
    <>
      <input type="hidden" name="steps" value={shown.length} />
      {shown.map((stage, at) => {
        const number = String(at + 1)
        const title = shown.length === 1 ? words.approvers : fill(words.step, { number })
        return (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
            key={at}
            className="grid min-w-0 gap-4"
          >
            <legend className="mb-2 font-semibold text-lead">{title}</legend>
            <OneStage api={api} at={at} stage={stage} />
            {shown.length > 1 && (
              <Check name={fieldAt('remove', at)} label={fill(words.removeStep, { number })} />
            )}
          </fieldset>
        )
      })}
      {shown.length < MAX_STEPS && (
        <Fold title={words.addStep} text={words.addStepHint}>
          <OneStage api={api} at={shown.length} stage={undefined} />
        </Fold>
      )}
    </>
  )
}

type StageProps = { api: AdminApi; at: number; stage: Stage | undefined }

async function OneStage({ api, at, stage }: StageProps) {
  const { requestRules: words } = (await currentMessages()).admin
  const approvers = stage?.approvers ?? []
  return (
    <>
      <ChooseParties
        api={api}
        {...worded(words, 'parties', fieldAt('approvers', at))}
        chosen={approvers}
      />
      <Check
        name={fieldAt('owners', at)}
        label={words.owners}
        checked={approvers.some(({ type }) => type === 'api_owners')}
      />
      <Fold title={words.more} open={isUnusual(stage)}>
        <div className="grid items-start gap-6 sm:grid-cols-2">
          <TextInput
            type="number"
            {...worded(words, 'needed', fieldAt('needed', at))}
            defaultValue={String(stage?.needed ?? 1)}
          />
          <TextInput
            type="number"
            {...worded(words, 'deadlineHours', fieldAt('deadlineHours', at))}
            defaultValue={String(hoursOf(stage))}
          />
        </div>
        <Manager name={fieldAt('manager', at)} approvers={approvers} />
        <Later api={api} approvers={stage?.escalateTo ?? []} name={(of) => fieldAt(of, at)} />
      </Fold>
    </>
  )
}

function hoursOf(stage: Stage | undefined): number {
  return stage ? stage.deadlineSeconds / HOUR_SECONDS : THREE_DAYS_HOURS
}

/** Whether something is set that stands in the fold. */
function isUnusual(stage: Stage | undefined): boolean {
  if (!stage) return false
  const { approvers, needed, escalateTo } = stage
  const byManager = approvers.some(({ type }) => type === 'manager')
  return needed > 1 || byManager || escalateTo.length > 0 || hoursOf(stage) !== THREE_DAYS_HOURS
}

/** An attribute that names the person. */
async function Manager({ name, approvers }: { name: string; approvers: Approvers }) {
  const { requestRules: words } = (await currentMessages()).admin
  const managers = approvers.flatMap(({ attribute }) => attribute ?? [])
  return <TextInput {...worded(words, 'manager', name)} defaultValue={managers.join(', ')} />
}

type LaterProps = { api: AdminApi; approvers: Approvers; name(of: string): string }

/** Who can decide as well once the time is over. */
async function Later({ api, approvers, name }: LaterProps) {
  const { requestRules: words } = (await currentMessages()).admin
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-1 font-semibold">{words.later}</legend>
      <ChooseParties
        api={api}
        name={name('later')}
        label={words.parties}
        hint={words.laterHint}
        chosen={approvers}
      />
      <Check
        name={name('later-owners')}
        label={words.owners}
        checked={approvers.some(({ type }) => type === 'api_owners')}
      />
      <Manager name={name('later-manager')} approvers={approvers} />
    </fieldset>
  )
}
