import { worded } from '@/app/_ui/worded'
import type { AccessKeyWire } from '@/lib/api/applications/access-keys'
import { currentClock } from '@/lib/browser/clock'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { TextArea, TextInput } from '../../../_ui/form'
import { TimeInput } from '../../../_ui/time-input'

type Props = { words: Messages['admin']['applications']['credentials']; of?: AccessKeyWire }

/** What can be said of an access key; the same when it is created and later. */
export async function KeyFields({ words, of }: Props) {
  const { zone } = await currentClock()
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
      <TimeInput
        name="expiresAt"
        label={fill(words.keyExpiry, { zone })}
        hint={words.keyExpiryHint}
        at={of?.expiresAt}
      />
    </>
  )
}
