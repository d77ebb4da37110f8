import { worded } from '@/app/_ui/worded'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { ATTRIBUTE_PARTIES, ATTRIBUTE_TYPES, type UserAttribute } from '@/lib/settings/model'
import { Check, Select, TextInput } from '../../_ui/form'

/** The key of an attribute is chosen once: values and conditions name it. */
export async function DefinitionFields({ attribute }: { attribute?: UserAttribute }) {
  const { attributes: words } = (await currentMessages()).admin.settings
  const parties = choices(ATTRIBUTE_PARTIES, words.parties)
  return (
    <>
      {!attribute && <TextInput name="key" label={words.key} hint={words.keyHint} />}
      <TextInput name="name" label={words.name} defaultValue={attribute?.name ?? ''} />
      <Select
        name="type"
        label={words.type}
        defaultValue={attribute?.type ?? 'string'}
        options={choices(ATTRIBUTE_TYPES, words.types)}
      />
      <Select
        {...worded(words, 'seenBy')}
        defaultValue={attribute?.seenBy ?? 'admins'}
        options={parties}
      />
      <Select
        {...worded(words, 'changedBy')}
        defaultValue={attribute?.changedBy ?? 'admins'}
        options={parties}
      />
      <Check {...worded(words, 'inConditions')} checked={attribute?.inConditions ?? false} />
    </>
  )
}
