import type { ReactNode } from 'react'
import type { ActivityWire } from '@/lib/api/records/activity'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { numberFormat } from '@/lib/i18n/formats'

/** How much there is, and how it goes; the tables of the charts below have the number of each day. */

type Values = readonly (number | null)[]

export async function Totals({ activity }: { activity: ActivityWire }) {
  const { totals: words } = (await currentMessages()).admin.overview
  const { days, users, applications } = activity
  const locale = await currentLocale()
  const format = (count: number) => numberFormat(locale).format(count)
  const of = ({ count, exact }: ActivityWire['users']) =>
    exact ? format(count) : fill(words.about, { count: format(count) })
  const length = String(days.length)
  const joined = days.map(({ newUsers }) => newUsers)
  const active = days.map(({ activeUsers }) => activeUsers)
  const tokens = days.map((day) => day.tokens)
  const refused = days.map(({ refusedRequests }) => refusedRequests)
  return (
    <section aria-label={words.title}>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line md:grid-cols-3 xl:grid-cols-5">
        <Total
          label={words.users}
          count={of(users)}
          text={fill(words.usersText, { count: format(sum(joined)), days: length })}
          trend={joined}
          href="/admin/users"
        />
        <Total
          label={words.active}
          count={format(Math.round(mean(active)))}
          text={words.activeText}
          trend={active}
        />
        <Total
          label={words.applications}
          count={of(applications)}
          text={words.applicationsText}
          href="/admin/applications"
        />
        <Total
          label={words.tokens}
          count={format(sum(tokens))}
          text={fill(words.tokensText, { days: length })}
          trend={tokens}
        />
        <Total
          label={words.refusals}
          count={format(sum(refused))}
          text={fill(words.refusalsText, { days: length })}
          trend={refused}
        />
      </dl>
    </section>
  )
}

type TotalProps = {
  label: string
  count: ReactNode
  text: string
  trend?: Values
  href?: string
}

function Total({ label, count, text, trend, href }: TotalProps) {
  return (
    <div className="grid grid-rows-[auto_auto_1fr_auto] gap-1 bg-raised px-5 py-4 max-xl:last:col-span-2">
      <dt className="text-muted">
        {href === undefined ? (
          label
        ) : (
          <a href={href} className="text-link">
            {label}
          </a>
        )}
      </dt>
      <dd className="display text-title">{count}</dd>
      <dd className="text-muted text-small">{text}</dd>
      {trend && (
        <dd>
          <Trend values={trend} />
        </dd>
      )}
    </div>
  )
}

const WIDTH = 100
const HEIGHT = 24

/** One value for each day, as a line over its area. */
function Trend({ values }: { values: Values }) {
  const top = Math.max(1, ...values.map((value) => value ?? 0))
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((value, at) => {
    const y = HEIGHT - 1 - ((value ?? 0) / top) * (HEIGHT - 2)
    return `${Math.round(at * step)} ${Math.round(y)}`
  })
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-8 w-full"
    >
      <path d={`M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`} className="fill-wash" />
      <path
        d={`M${points.join('L')}`}
        vectorEffect="non-scaling-stroke"
        className="fill-none stroke-2 stroke-accent"
      />
    </svg>
  )
}

function sum(values: Values): number {
  return values.reduce<number>((all, value) => all + (value ?? 0), 0)
}

/** Of the days of which it is known. */
function mean(values: Values): number {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? 0 : sum(known) / known.length
}
