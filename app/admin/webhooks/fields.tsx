import type { WebhookWire } from '@/lib/api/routes/webhooks'
import type { Messages } from '@/lib/i18n'
import { Check, TextArea, TextInput } from '../_ui/form'

type Props = { words: Messages['admin']['webhooks']; webhook?: WebhookWire }

export function WebhookFields({ words, webhook }: Props) {
  return (
    <>
      <TextInput
        name="name"
        label={words.name}
        hint={words.nameHint}
        defaultValue={webhook?.name}
      />
      <TextInput
        name="url"
        type="url"
        label={words.url}
        hint={words.urlHint}
        defaultValue={webhook?.url}
        placeholder="https://"
      />
      <TextArea
        name="events"
        code
        label={words.events}
        hint={words.eventsHint}
        defaultValue={webhook?.events.join('\n') ?? 'user.*\nlogin.failed'}
      />
      {webhook && <Check name="enabled" label={words.enabled} checked={webhook.enabled} />}
    </>
  )
}
