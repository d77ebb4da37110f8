import { worded } from '@/app/_ui/worded'
import type { Terms } from '@/lib/admin/terms'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { ConditionField } from './condition-field'
import { Select } from './form'
import { TimeInput } from './time-input'

/** For how long, under which condition, and whether it gives or takes away. */
export async function TermsFields({ terms }: { terms?: Terms }) {
  const { terms: words } = (await currentMessages()).admin
  const hint = fill(words.validHint, { zone: (await currentClock()).zone })
  return (
    <>
      <Select
        {...worded(words, 'effect')}
        defaultValue={terms?.effect ?? 'allow'}
        options={[
          ['allow', words.allow],
          ['deny', words.deny],
        ]}
      />
      <div className="field-row">
        <TimeInput name="validFrom" label={words.validFrom} hint={hint} at={terms?.validFrom} />
        <TimeInput name="validUntil" label={words.validUntil} hint={hint} at={terms?.validUntil} />
      </div>
      <ConditionField defaultValue={terms?.condition ?? null} />
    </>
  )
}
