import { worded } from '@/app/_ui/worded'
import { type Terms, timeInput } from '@/lib/admin/terms'
import { currentMessages } from '@/lib/browser/locale'
import { ConditionField } from './condition-field'
import { Select, TextInput } from './form'

/** For how long, under which condition, and whether it gives or takes away. */
export async function TermsFields({ terms }: { terms?: Terms }) {
  const { terms: words } = (await currentMessages()).admin
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
      <div className="grid items-end gap-6 sm:grid-cols-2">
        <TextInput
          type="datetime-local"
          name="validFrom"
          label={words.validFrom}
          hint={words.validHint}
          defaultValue={timeInput(terms?.validFrom)}
        />
        <TextInput
          type="datetime-local"
          name="validUntil"
          label={words.validUntil}
          hint={words.validHint}
          defaultValue={timeInput(terms?.validUntil)}
        />
      </div>
      <ConditionField defaultValue={terms?.condition ?? null} />
    </>
  )
}
