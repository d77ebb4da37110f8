import type { ReactNode } from 'react'
import type { AdminApi } from '@/lib/admin/api'
import { type ChoiceKind, foundIn, meaningOf } from '@/lib/admin/choice'
import type { RequestRuleWire } from '@/lib/api/requests/rule-routes'
import { HOUR_SECONDS } from '@/lib/base/time'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { ChooseMany, searchSource } from '../../../_ui/choose'
import { Check, TextInput } from '../../../_ui/form'
import { APPROVER_KINDS, fieldAt, MAX_STEPS } from './stage-names'

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
            className="grid min-w-0 gap-6"
          >
            <legend className="mb-2 font-semibold text-lead">{title}</legend>
            {at === 0 && <p className="text-muted">{words.approversHint}</p>}
            <OneStage api={api} at={at} stage={stage} />
            {shown.length > 1 && (
              <Check name={fieldAt('remove', at)} label={fill(words.removeStep, { number })} />
            )}
          </fieldset>
        )
      })}
      {shown.length < MAX_STEPS && (
        <More title={words.addStep} text={words.addStepHint}>
          <OneStage api={api} at={shown.length} stage={undefined} />
        </More>
      )}
    </>
  )
}

function More({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <details className="open-on-problem rounded-control border border-line px-4">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">{title}</summary>
      <div className="grid gap-6 pb-5">
        <p className="text-muted">{text}</p>
        {children}
      </div>
    </details>
  )
}

type StageProps = { api: AdminApi; at: number; stage: Stage | undefined }

async function OneStage({ api, at, stage }: StageProps) {
  const { requestRules: words } = (await currentMessages()).admin
  const hours = stage ? stage.deadlineSeconds / HOUR_SECONDS : THREE_DAYS_HOURS
  return (
    <>
      <ApproverFields api={api} approvers={stage?.approvers ?? []} name={(of) => fieldAt(of, at)} />
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <TextInput
          type="number"
          name={fieldAt('needed', at)}
          label={words.needed}
          hint={words.neededHint}
          defaultValue={String(stage?.needed ?? 1)}
        />
        <TextInput
          type="number"
          name={fieldAt('deadlineHours', at)}
          label={words.deadlineHours}
          hint={words.deadlineHoursHint}
          defaultValue={String(hours)}
        />
      </div>
      <More title={words.later} text={words.laterHint}>
        <ApproverFields
          api={api}
          approvers={stage?.escalateTo ?? []}
          name={(of) => fieldAt(`later-${of}`, at)}
        />
      </More>
    </>
  )
}

type ApproverProps = { api: AdminApi; approvers: Approvers; name(of: string): string }

/** Roles, groups and people, the owners of the API, and whom an attribute names. */
async function ApproverFields({ api, approvers, name }: ApproverProps) {
  const { requestRules: words } = (await currentMessages()).admin
  const managers = approvers.flatMap(({ attribute }) => attribute ?? [])
  return (
    <>
      {APPROVER_KINDS.map(([field, kind]) => (
        <Chosen
          key={kind}
          api={api}
          kind={kind}
          approvers={approvers}
          words={{ name: name(field), label: words[field] }}
        />
      ))}
      <Check
        name={name('owners')}
        label={words.owners}
        checked={approvers.some(({ type }) => type === 'api_owners')}
      />
      <TextInput
        name={name('manager')}
        label={words.manager}
        hint={words.managerHint}
        defaultValue={managers.join(', ')}
      />
    </>
  )
}

type ChosenProps = {
  api: AdminApi
  kind: Extract<ChoiceKind, 'role' | 'group' | 'user'>
  approvers: Approvers
  words: { name: string; label: string }
}

async function Chosen({ api, kind, approvers, words }: ChosenProps) {
  const ids = approvers.flatMap(({ type, id }) => (type === kind && id ? [id] : []))
  const chosen = await Promise.all(
    ids.map(async (id) => {
      const found = foundIn(await meaningOf(api, kind, id))
      return { value: id, label: found?.name ?? id, hint: found?.hint ?? null }
    }),
  )
  return <ChooseMany {...words} source={searchSource(kind)} chosen={chosen} />
}
