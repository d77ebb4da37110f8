import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { type AdminApi, withQuery } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import {
  DELIVERY_STATES,
  type DeliveryWire,
  listDeliveries,
} from '@/lib/api/delivery/webhook-deliveries'
import type { WebhookWire } from '@/lib/api/delivery/webhooks'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { SearchParams } from '@/lib/browser/page-props'
import { choices } from '@/lib/i18n/choices'
import { plural } from '@/lib/i18n/plural'
import { JsonBlock } from '../../_ui/json-block'
import { Pages } from '../../_ui/pages'
import { StateBadge } from '../../_ui/state-badge'
import { Tabs } from '../../_ui/tabs'
import { resend, sendTest } from '../actions'

type Props = { api: AdminApi; webhook: WebhookWire; params: SearchParams }

/** What was told, what came back, and the words themselves behind each line. */
export async function Deliveries({ api, webhook, params }: Props) {
  const { webhooks: words, table } = (await currentMessages()).admin
  const asked = askedOf(params, ['state'])
  const path = `/admin/webhooks/${webhook.id}`
  const list = await api.get(listDeliveries, {
    params: { webhook: webhook.id },
    query: { count: true, ...asked, limit: 20 },
  })
  const maySend = api.may('webhooks:write') && webhook.enabled
  const states = [['', words.all] as const, ...choices(DELIVERY_STATES, words.states)]
  return (
    <Section
      title={words.deliveries}
      text={words.deliveriesText}
      aside={maySend && <TestButton webhook={webhook} />}
    >
      <Tabs
        label={words.state}
        tabs={states.map(([state, label]) => ({
          label,
          href: withQuery(path, { state }),
          current: (asked.state ?? '') === state,
        }))}
      />
      {list.data.length === 0 ? (
        <p className="py-4 text-muted">{asked.state ? table.none : words.deliveriesNone}</p>
      ) : (
        <ul className="grid divide-y divide-line">
          {list.data.map((one) => (
            <Delivery key={one.id} api={api} delivery={one} webhook={webhook} maySend={maySend} />
          ))}
        </ul>
      )}
      <Pages page={list.page} hrefOf={(cursor) => withQuery(path, { ...asked, cursor })} />
    </Section>
  )
}

async function TestButton({ webhook: { id } }: { webhook: WebhookWire }) {
  const { webhooks: words } = (await currentMessages()).admin
  return (
    <form action={sendTest}>
      <input type="hidden" name="id" value={id} />
      <QuietSubmit label={words.test} busyLabel={words.testing} />
    </form>
  )
}

const TONES = { delivered: 'good', waiting: 'warn', failed: 'bad' } as const

type DeliveryProps = {
  api: AdminApi
  delivery: DeliveryWire
  webhook: WebhookWire
  maySend: boolean
}

async function Delivery({ api, delivery, webhook, maySend }: DeliveryProps) {
  const { webhooks: words } = (await currentMessages()).admin
  const { id, event, state, status, lastError, attempts, createdAt } = delivery
  const answer = status === null ? (lastError ?? words.noAnswer) : `HTTP ${status}`
  return (
    <li>
      <details className="group py-1">
        <summary className="grid cursor-pointer gap-x-6 gap-y-1 list-none rounded-control py-2 ps-7 pe-2 hover:bg-wash relative sm:grid-cols-[minmax(0,1fr)_8rem_minmax(0,14rem)_9rem] sm:items-center">
          <span
            aria-hidden="true"
            className="absolute start-2 top-1.5 text-lead text-muted transition-transform group-open:rotate-90"
          >
            ›
          </span>
          <span className="code [overflow-wrap:anywhere]">{event}</span>
          <span>
            <StateBadge tone={TONES[state]}>{words.states[state]}</StateBadge>
          </span>
          <span className="text-muted text-small [overflow-wrap:anywhere]">
            {plural(await currentLocale(), words.answer, attempts, { answer })}
          </span>
          <span className="text-muted text-small">
            <When at={createdAt} />
          </span>
        </summary>
        <div className="grid gap-4 px-2 pt-2 pb-4">
          <p className="text-small">
            webhook-id: <code className="code">{id}</code>
          </p>
          {state === 'waiting' && api.may('settings:read') && (
            <p className="text-small">
              <a href="/admin/settings/outbox?kind=webhook&state=waiting" className="text-link">
                {words.nextTry}
              </a>
            </p>
          )}
          {delivery.payload !== null && (
            <JsonBlock value={delivery.payload} label={words.payload} />
          )}
          {maySend && (
            <form action={resend}>
              <input type="hidden" name="id" value={webhook.id} />
              <input type="hidden" name="delivery" value={id} />
              <QuietSubmit
                label={words.resend}
                busyLabel={words.resending}
                name={`${words.resend}: ${event}`}
              />
            </form>
          )}
        </div>
      </details>
    </li>
  )
}
