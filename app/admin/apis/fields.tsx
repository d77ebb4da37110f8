import type { ResourceWire } from '@/lib/api/routes/resources'
import type { Messages } from '@/lib/i18n'
import { Check, Select, TextInput } from '../_ui/form'

type Words = Messages['admin']['apis']
type Props = { words: Words; api?: ResourceWire }

/** What can be changed of an API later too. */
export function ApiFields({ words, api }: Props) {
  return (
    <>
      <TextInput name="name" label={words.name} hint={words.nameHint} defaultValue={api?.name} />
      <TextInput
        name="audience"
        type="url"
        label={words.audience}
        hint={words.audienceHint}
        defaultValue={api?.audience}
      />
      <Check
        name="subpaths"
        label={words.subpaths}
        hint={words.subpathsHint}
        checked={api?.subpaths ?? false}
      />
      <TextInput
        name="tokenSeconds"
        type="number"
        min={60}
        max={86_400}
        label={words.tokenSeconds}
        hint={words.tokenSecondsHint}
        defaultValue={String(api?.tokenSeconds ?? 3_600)}
      />
      <Select
        name="tokenAlg"
        label={words.tokenAlg}
        hint={words.tokenAlgHint}
        defaultValue={api?.tokenAlg ?? ''}
        options={[
          ['', words.algDefault],
          ['ES256', 'ES256'],
          ['RS256', 'RS256'],
        ]}
      />
      <Check
        name="enabled"
        label={words.enabled}
        hint={words.enabledHint}
        checked={api?.enabled ?? true}
      />
    </>
  )
}
