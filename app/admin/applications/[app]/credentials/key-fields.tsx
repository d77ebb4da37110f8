import { worded } from '@/app/_ui/worded'
import { timeInput } from '@/lib/admin/terms'
import type { AccessKeyWire } from '@/lib/api/applications/access-keys'
import type { Messages } from '@/lib/i18n'
import { TextArea, TextInput } from '../../../_ui/form'

type Props = { words: Messages['admin']['applications']['credentials']; of?: AccessKeyWire }

/** What can be said of an access key; the same when it is created and later. */
export function KeyFields({ words, of }: Props) {
  return (
    <>
      <TextInput {...worded(words, 'keyName', 'name')} defaultValue={of?.name ?? ''} />
      <TextArea
        {...worded(words, 'keyScopes', 'scopes')}
        code
        defaultValue={of?.scopes?.join('\n') ?? ''}
      />
      <TextInput
        {...worded(words, 'keySeconds', 'tokenSeconds')}
        type="number"
        min={60}
        max={86_400}
        defaultValue={of?.tokenSeconds?.toString() ?? ''}
      />
      <TextInput
        {...worded(words, 'keyExpiry', 'expiresAt')}
        type="datetime-local"
        defaultValue={timeInput(of?.expiresAt)}
      />
    </>
  )
}
