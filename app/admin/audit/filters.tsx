import { buttonClass } from '@/app/_ui/button'
import type { ChoiceKind, TypedChoice } from '@/lib/admin/choice'
import type { ListQuery } from '@/lib/admin/list'
import { ACTOR_KINDS, AUDIT_RESULTS } from '@/lib/api/records/audit'
import { TARGET_KINDS } from '@/lib/base/events'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { fill } from '@/lib/i18n/fill'
import { toField } from '@/lib/i18n/moments'
import { ChooseFilter, filterClass, searchSource } from '../_ui/choose'

/** What entries are chosen by: a plain form whose fields are the page's address. */

export const FILTERS = [
  ...(['event', 'result', 'actorKind', 'actorId', 'targetKind', 'targetId'] as const),
  ...(['applicationId', 'ip', 'requestId', 'decisionId', 'from', 'to'] as const),
] as const

type FilterName = (typeof FILTERS)[number]

/** Those that are chosen by name. */
export const NAMED_FILTERS = {
  actorId: 'subject',
  targetId: 'anything',
  applicationId: 'application',
} as const satisfies Partial<Record<FilterName, ChoiceKind>>
type NamedFilter = keyof typeof NAMED_FILTERS

const PLAIN = ['ip', 'requestId', 'decisionId'] as const
const MORE = ['actorId', 'targetKind', 'targetId', 'applicationId', ...PLAIN] as const

export type MeantFilters = Partial<Record<NamedFilter, TypedChoice>>

export async function Filters({ asked, meant }: { asked: ListQuery; meant: MeantFilters }) {
  const { admin } = await currentMessages()
  const { zone } = await currentClock()
  const { filters: words, results, actorKinds } = admin.audit
  const isOpen = MORE.some((name) => asked[name] !== undefined)
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
            <EventFilter asked={asked} label={words.event} />
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
            <input type="hidden" name="zone" value={zone} />
            <Time name="from" asked={asked} label={fill(words.from, { zone })} zone={zone} />
            <Time name="to" asked={asked} label={fill(words.to, { zone })} zone={zone} />
          </div>
          <details open={isOpen}>
            <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link text-small">
              {words.more}
            </summary>
            <div className="mt-2 grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
              <MoreFilters asked={asked} meant={meant} />
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

async function MoreFilters({ asked, meant }: { asked: ListQuery; meant: MeantFilters }) {
  const { filters: words, kinds } = (await currentMessages()).admin.audit
  const named = (name: NamedFilter) => (
    <ChooseFilter
      name={name}
      label={words[name]}
      source={searchSource(NAMED_FILTERS[name])}
      value={asked[name]}
      meant={meant[name]}
    />
  )
  return (
    <>
      {named('actorId')}
      <Choice
        name="targetKind"
        asked={asked}
        label={words.targetKind}
        options={choices(TARGET_KINDS, kinds)}
      />
      {named('targetId')}
      {named('applicationId')}
      {PLAIN.map((name) => (
        <Text key={name} name={name} asked={asked} label={words[name]} />
      ))}
    </>
  )
}

type FieldProps = { name: FilterName; asked: ListQuery; label: string }

function Text({ name, asked, label }: FieldProps) {
  return (
    <label className={labelClass}>
      <span className="text-muted">{label}</span>
      <input
        id={name}
        name={name}
        defaultValue={asked[name]}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        className={filterClass}
      />
    </label>
  )
}

/** A browser's field for a time has no zone: the form says the one of the reader. */
function Time({ name, asked, label, zone }: FieldProps & { zone: string }) {
  const at = Date.parse(asked[name] ?? '')
  return (
    <label className={labelClass}>
      <span className="text-muted">{label}</span>
      <input
        type="datetime-local"
        id={name}
        name={name}
        defaultValue={Number.isNaN(at) ? asked[name] : toField(at, zone)}
        className={filterClass}
      />
    </label>
  )
}

type ChoiceProps = FieldProps & { options: readonly (readonly [value: string, label: string])[] }

function Choice({ name, asked, label, options }: ChoiceProps) {
  return (
    <label className={labelClass}>
      <span className="text-muted">{label}</span>
      <select id={name} name={name} defaultValue={asked[name] ?? ''} className={filterClass}>
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

const labelClass = 'grid min-w-0 content-start gap-1 text-small'

function EventFilter({ asked, label }: Omit<FieldProps, 'name'>) {
  return (
    <ChooseFilter
      name="event"
      label={label}
      source={{ from: 'address', address: '/admin/audit/events' }}
      value={asked.event}
      isTableSearch
    />
  )
}
