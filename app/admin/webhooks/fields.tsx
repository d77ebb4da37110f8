import { worded } from '@/app/_ui/worded'
import type { WebhookWire } from '@/lib/api/delivery/webhooks'
import { WEBHOOK_EVENTS } from '@/lib/base/events'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { ChooseMany } from '../_ui/choose'
import { Check, TextInput } from '../_ui/form'

type Props = { words: Messages['admin']['webhooks']; webhook?: WebhookWire }

export function WebhookFields({ words, webhook }: Props) {
  return (
    <>
      <TextInput {...worded(words, 'name')} defaultValue={webhook?.name} />
      <TextInput
        {...worded(words, 'url')}
        type="url"
        defaultValue={webhook?.url}
        placeholder="https://"
      />
      <EventsField words={words} events={webhook?.events ?? USUAL} />
      {webhook && <Check name="enabled" label={words.enabled} checked={webhook.enabled} />}
    </>
  )
}

const USUAL = ['user.*', 'login.failed']
const FAMILIES = [...new Set(WEBHOOK_EVENTS.map((name) => `${name.split('.')[0]}.*`))]

type EventsProps = { words: Props['words']; events: readonly string[] }

/** Every event that a webhook can ask for, with its meaning. */
async function EventsField({ words, events }: EventsProps) {
  const { events: meanings } = await currentMessages()
  const choices = [
    { value: '*', label: '*', hint: words.allEvents },
    ...FAMILIES.map((family) => ({ value: family, label: family, hint: words.allOf })),
    ...WEBHOOK_EVENTS.map((name) => ({ value: name, label: name, hint: meanings[name] })),
  ]
  return (
    <ChooseMany
      {...worded(words, 'events')}
      source={{ from: 'list', choices }}
      chosen={events.map((event) => ({ value: event, label: event }))}
    />
  )
}
