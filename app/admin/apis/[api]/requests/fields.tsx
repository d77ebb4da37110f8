import { worded } from '@/app/_ui/worded'
import type { AdminApi } from '@/lib/admin/api'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import type { RequestRuleWire } from '@/lib/api/requests/rule-routes'
import { HOUR_SECONDS } from '@/lib/base/time'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Check, TextArea, TextInput } from '../../../_ui/form'
import { EmergencyFields } from './emergency-fields'
import { StageFields } from './stage-fields'

const DAY_HOURS = 24

type Props = { api: AdminApi; resource: ResourceWire; rule?: RequestRuleWire }

export async function RuleFields({ api, resource, rule }: Props) {
  const { requestRules: words } = (await currentMessages()).admin
  return (
    <>
      <TextInput {...worded(words, 'name')} defaultValue={rule?.name ?? ''} />
      <TextArea
        name="patterns"
        label={words.patterns}
        hint={fill(words.patternsHint, { prefix: resource.prefix })}
        defaultValue={rule?.patterns.join('\n') ?? ''}
        code
      />
      <TextInput
        {...worded(words, 'maxHours')}
        type="number"
        defaultValue={hoursOf(rule?.maxSeconds, DAY_HOURS)}
      />
      <StageFields api={api} stages={rule?.stages ?? []} />
      <Check
        name="reasonRequired"
        label={words.reasonRequired}
        checked={rule?.reasonRequired ?? true}
      />
      <Check name="enabled" label={words.enabled} checked={rule?.enabled ?? true} />
      <EmergencyFields api={api} rule={rule} />
    </>
  )
}

/** In hours, as the form has it. */
function hoursOf(seconds: number | undefined, usual: number): string {
  return String(seconds === undefined ? usual : seconds / HOUR_SECONDS)
}
