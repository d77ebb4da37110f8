import type { GroupWire } from '@/lib/api/permissions/groups'
import type { Messages } from '@/lib/i18n'
import { TextInput } from '../_ui/form'
import { KeyField } from '../_ui/key-field'

type Props = { words: Messages['admin']['groups']; group?: GroupWire }

export function GroupFields({ words, group }: Props) {
  return (
    <>
      <TextInput name="name" label={words.name} defaultValue={group?.name ?? ''} />
      <KeyField label={words.key} hint={words.keyHint} of={group?.key} />
    </>
  )
}
