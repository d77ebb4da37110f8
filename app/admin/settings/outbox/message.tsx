import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { When } from '@/app/_ui/when'
import type { ListQuery } from '@/lib/admin/list'
import { letterName, mayCancel, targetHref } from '@/lib/admin/outbox'
import type { MessageWire } from '@/lib/api/delivery/outbox-messages'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { StateBadge } from '../../_ui/state-badge'
import { cancel, retry } from './actions'

const TONES = { waiting: 'warn', delivered: 'good', failed: 'bad', cancelled: 'quiet' } as const

type Props = { message: MessageWire; asked: ListQuery; mayWrite: boolean }

/** What it is and for whom, how far it got, and what can be done about it. */
export async function OutboxMessage({ message, asked, mayWrite }: Props) {
  const messages = await currentMessages()
  const { outbox: words } = messages.admin
  const { state, kind, createdAt } = message
  const name = nameOf(message, messages)
  return (
    <li className="grid gap-x-6 gap-y-3 py-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold [overflow-wrap:anywhere]">{name}</span>
          <StateBadge tone={TONES[state]}>{words.states[state]}</StateBadge>
        </p>
        <p className="text-muted text-small [overflow-wrap:anywhere]">
          {kind !== 'backchannel_logout' && `${words.kinds[kind]} · `}
          <Target target={message.target} /> · <When at={createdAt} />
        </p>
        <Progress message={message} />
      </div>
      {mayWrite && state !== 'delivered' && (
        <div className="flex flex-wrap gap-2">
          <Act message={message} asked={asked} what="retry" name={`${words.retry}: ${name}`} />
          {mayCancel(message) && (
            <Act message={message} asked={asked} what="cancel" name={`${words.cancel}: ${name}`} />
          )}
        </div>
      )}
    </li>
  )
}

function nameOf({ kind, about }: MessageWire, { admin, mail }: Messages): string {
  const { outbox: words } = admin
  if (kind === 'backchannel_logout') return words.kinds.backchannel_logout
  const known = kind === 'mail' ? letterName(mail.letters, about) : about
  return known ?? words.unknown
}

async function Target({ target }: Pick<MessageWire, 'target'>) {
  const { outbox: words } = (await currentMessages()).admin
  if (!target) return words.toNobody
  const text = fill(words.to, { name: target.name ?? target.id })
  if (target.name === null) return text
  return (
    <a href={targetHref(target)} className="text-link">
      {text}
    </a>
  )
}

async function Progress({ message }: { message: MessageWire }) {
  const { outbox: words } = (await currentMessages()).admin
  const { state, attempts, lastError, nextAttemptAt } = message
  const tries = plural(await currentLocale(), words.tries, attempts)
  const parts = [
    ...(attempts > 0 ? [tries] : []),
    ...(lastError && state !== 'delivered' ? [lastError] : []),
    ...(nextAttemptAt ? [fill(words.nextTry, { when: await momentText(nextAttemptAt) })] : []),
  ]
  if (parts.length === 0) return null
  return <p className="text-small [overflow-wrap:anywhere]">{parts.join(' · ')}</p>
}

type ActProps = {
  message: MessageWire
  asked: ListQuery
  what: 'retry' | 'cancel'
  name: string
}

async function Act({ message: { id }, asked, what, name }: ActProps) {
  const { outbox: words } = (await currentMessages()).admin
  const busy = what === 'retry' ? words.retrying : words.cancelling
  return (
    <form action={what === 'retry' ? retry : cancel}>
      <input type="hidden" name="message" value={id} />
      {Object.entries({ kind: asked.kind, state: asked.state }).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value ?? ''} />
      ))}
      <QuietSubmit label={words[what]} busyLabel={busy} name={name} />
    </form>
  )
}
