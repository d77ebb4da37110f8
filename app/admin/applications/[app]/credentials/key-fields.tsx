import { timeInput } from '@/lib/admin/terms'
import type { AccessKeyWire } from '@/lib/api/routes/keys'
import type { Messages } from '@/lib/i18n'
import { TextArea, TextInput } from '../../../_ui/form'

type Props = { words: Messages['admin']['applications']['credentials']; of?: AccessKeyWire }

/** What can be said of an access key; the same when it is created and later. */
export function KeyFields({ words, of }: Props) {
  return (
    <>
      <TextInput
        name="name"
        label={words.keyName}
        hint={words.keyNameHint}
        defaultValue={of?.name ?? ''}
      />
      <TextArea
        name="scopes"
        code
        label={words.keyScopes}
        hint={words.keyScopesHint}
        defaultValue={of?.scopes?.join('\n') ?? ''}
      />
      <TextInput
        name="tokenSeconds"
        type="number"
        min={60}
        max={86_400}
        label={words.keySeconds}
        hint={words.keySecondsHint}
        defaultValue={of?.tokenSeconds?.toString() ?? ''}
      />
      <TextInput
        name="expiresAt"
        type="datetime-local"
        label={words.keyExpiry}
        hint={words.keyExpiryHint}
        defaultValue={timeInput(of?.expiresAt)}
      />
    </>
  )
}
