import type { WebhookWire } from '@/lib/api/routes/webhooks'
import { WEBHOOK_EVENTS } from '@/lib/base/events'
import { currentMessages } from '@/lib/browser/locale'
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
      <EventList title={words.allEvents} />
      {webhook && <Check name="enabled" label={words.enabled} checked={webhook.enabled} />}
    </>
  )
}

/** Every event that a webhook can ask for, with its meaning. */
async function EventList({ title }: { title: string }) {
  const { events } = await currentMessages()
  return (
    <details>
      <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link text-small">
        {title}
      </summary>
      <dl className="mt-2 grid max-h-96 gap-x-6 gap-y-1 overflow-y-auto rounded-control border border-line p-4 text-small sm:grid-cols-[max-content_1fr]">
        {WEBHOOK_EVENTS.map((name) => (
          <div key={name} className="contents">
            <dt className="font-mono">{name}</dt>
            <dd className="text-muted max-sm:mb-2">{events[name]}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
