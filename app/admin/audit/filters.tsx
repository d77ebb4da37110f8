import { buttonClass } from '@/app/_ui/button'
import type { Asked } from '@/lib/admin/list'
import { ACTOR_KINDS, AUDIT_RESULTS } from '@/lib/api/routes/audit'
import { EVENT_NAMES } from '@/lib/base/events'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'

/** What entries are chosen by: a plain form whose fields are the page's address. */

export const FILTERS = [
  ...(['event', 'result', 'actorKind', 'actorId', 'targetKind', 'targetId'] as const),
  ...(['applicationId', 'ip', 'requestId', 'decisionId', 'from', 'to'] as const),
] as const

type FilterName = (typeof FILTERS)[number]

const MORE = ['actorId', 'targetKind', 'targetId', 'applicationId', 'ip'] as const
const IDS = ['requestId', 'decisionId'] as const

/** Suggestions, such as `user.*`; anything else may be typed. */
const FAMILIES = [...new Set(EVENT_NAMES.map((name) => `${name.split('.')[0]}.*`))]

export async function Filters({ asked }: { asked: Asked }) {
  const { admin } = await currentMessages()
  const { filters: words, results, actorKinds } = admin.audit
  const isOpen = [...MORE, ...IDS].some((name) => asked[name] !== undefined)
  return (
    <search>
      <details
        open={Object.keys(asked).length > 0}
        className="open-when-wide rounded-panel border border-line bg-raised px-5 py-2 lg:py-4"
      >
        <summary className="flex min-h-11 cursor-pointer items-center justify-between font-semibold">
          {words.title}
          <span aria-hidden="true" className="text-muted">
            ▾
          </span>
        </summary>
        <form action="/admin/audit" className="grid gap-4 max-lg:py-2">
          <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-[1.5fr_1fr_1fr_1.2fr_1.2fr]">
            <Text name="event" asked={asked} label={words.event} list="audit-events" />
            <Choice
              name="result"
              asked={asked}
              label={words.result}
              options={choices(AUDIT_RESULTS, results)}
            />
            <Choice
              name="actorKind"
              asked={asked}
              label={words.actorKind}
              options={choices(ACTOR_KINDS, actorKinds)}
            />
            <Time name="from" asked={asked} label={words.from} />
            <Time name="to" asked={asked} label={words.to} />
          </div>
          <EventNames />
          <details open={isOpen}>
            <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link text-small">
              {words.more}
            </summary>
            <div className="mt-2 grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
              {[...MORE, ...IDS].map((name) => (
                <Text key={name} name={name} asked={asked} label={words[name]} />
              ))}
            </div>
          </details>
          <div className="flex flex-wrap items-center gap-4">
            <button type="submit" className={`${buttonClass('quiet')} min-h-10!`}>
              {words.apply}
            </button>
            <a
              href="/admin/audit"
              className="inline-flex min-h-10 items-center text-link text-small"
            >
              {words.clear}
            </a>
            <p className="text-muted text-small">{words.eventHint}</p>
          </div>
        </form>
      </details>
    </search>
  )
}

type FieldProps = { name: FilterName; asked: Asked; label: string }

function Text({ name, asked, label, list }: FieldProps & { list?: string }) {
  return (
    <label className={labelClass}>
      <span className="text-muted">{label}</span>
      <input
        id={name}
        name={name}
        defaultValue={asked[name]}
        list={list}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        {...(name === 'event' && { 'data-table-search': true })}
        className={controlClass}
      />
    </label>
  )
}

/** A browser's field for a time has no zone: it is meant, and kept in the address, as UTC. */
function Time({ name, asked, label }: FieldProps) {
  return (
    <label className={labelClass}>
      <span className="text-muted">{label}</span>
      <input
        type="datetime-local"
        id={name}
        name={name}
        defaultValue={asked[name]?.slice(0, 16)}
        className={controlClass}
      />
    </label>
  )
}

type ChoiceProps = FieldProps & { options: readonly (readonly [value: string, label: string])[] }

function Choice({ name, asked, label, options }: ChoiceProps) {
  return (
    <label className={labelClass}>
      <span className="text-muted">{label}</span>
      <select id={name} name={name} defaultValue={asked[name] ?? ''} className={controlClass}>
        <option value="">–</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

const labelClass = 'grid min-w-0 gap-1 text-small'
const controlClass =
  'min-h-10 w-full min-w-0 rounded-control border border-edge bg-raised px-3 text-body text-ink hover:border-ink'

async function EventNames() {
  const { events } = await currentMessages()
  return (
    <datalist id="audit-events">
      {FAMILIES.map((family) => (
        <option key={family} value={family} />
      ))}
      {EVENT_NAMES.map((name) => (
        <option key={name} value={name}>
          {events[name]}
        </option>
      ))}
    </datalist>
  )
}
