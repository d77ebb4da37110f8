import { worded } from '@/app/_ui/worded'
import type { GroupWire } from '@/lib/api/permissions/groups'
import type { Messages } from '@/lib/i18n'
import { TextInput } from '../_ui/form'

type Props = { words: Messages['admin']['groups']; group?: GroupWire }

export function GroupFields({ words, group }: Props) {
  return (
    <>
      <TextInput name="name" label={words.name} defaultValue={group?.name ?? ''} />
      <TextInput {...worded(words, 'key')} defaultValue={group?.key ?? ''} />
    </>
  )
}
