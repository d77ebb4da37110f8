import type { ReactNode } from 'react'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Locale } from '@/lib/i18n'
import { numberFormat } from '@/lib/i18n/formats'
import { UTC, written } from '@/lib/i18n/moments'

/** Days as stacked bars, drawn on the server; the same numbers stand in a table behind it. */

const TONES = {
  accent: 'fill-accent',
  edge: 'fill-edge',
  ink: 'fill-ink',
  danger: 'fill-danger',
} as const

export type Series = { name: string; values: readonly number[]; tone: keyof typeof TONES }

type Props = {
  /** What is drawn, in a sentence. */
  label: string
  days: readonly string[]
  series: readonly Series[]
  /** How high the chart is; without it, as high as its highest bar. */
  most?: number
  format?: (value: number) => string
  /** Only in the table; null where it is not known. */
  also?: readonly Column[]
}

type Column = { name: string; values: readonly (number | null)[] }

const WIDTH = 1000
const HEIGHT = 100
const GAP = 0.22

export async function BarChart({ label, days, series, most, format: wanted, also = [] }: Props) {
  const { chart } = (await currentMessages()).admin.overview
  const totals = days.map((_day, at) => series.reduce((sum, { values }) => sum + of(values, at), 0))
  const top = most ?? Math.max(...totals)
  if (Math.max(...totals) === 0) return <p className="text-muted">{chart.nothing}</p>
  const locale = await currentLocale()
  const format = wanted ?? ((value: number) => numberFormat(locale).format(value))
  return (
    <div className="grid gap-3">
      <figure className="grid gap-1">
        <p className="text-muted text-small">{format(top)}</p>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
          className="h-36 w-full border-edge border-b"
        >
          <line x1="0" x2={WIDTH} y1="0.5" y2="0.5" className="stroke-line" />
          <line x1="0" x2={WIDTH} y1="50" y2="50" className="stroke-line" />
          {days.map((day, at) => (
            <Bar
              key={day}
              day={day}
              at={at}
              top={top}
              series={series}
              format={format}
              count={days.length}
            />
          ))}
        </svg>
        <p className="flex justify-between text-muted text-small">
          <span>{shortDay(days[0], locale)}</span>
          <span>{shortDay(days.at(-1), locale)}</span>
        </p>
      </figure>
      <Legend series={series} />
      <Table
        summary={chart.table}
        dayLabel={chart.day}
        label={label}
        days={days}
        columns={[...series, ...also]}
        format={format}
        locale={locale}
      />
    </div>
  )
}

type BarProps = Pick<Props, 'series'> & {
  day: string
  at: number
  count: number
  top: number
  format(value: number): string
}

function Bar({ day, at, count, top, series, format }: BarProps) {
  const slot = WIDTH / count
  let below = 0
  const parts = series.map(({ name, values, tone }) => {
    const height = (of(values, at) / top) * HEIGHT
    below += height
    return { name, tone, height, y: HEIGHT - below }
  })
  const told = series.map(({ name, values }) => `${name} ${format(of(values, at))}`).join(', ')
  return (
    <g>
      <title>{`${day}: ${told}`}</title>
      {parts
        .filter(({ height }) => height > 0)
        .map(({ name, tone, height, y }) => (
          <rect
            key={name}
            x={at * slot + (slot * GAP) / 2}
            y={y}
            width={slot * (1 - GAP)}
            height={height}
            className={TONES[tone]}
          />
        ))}
    </g>
  )
}

function Legend({ series }: Pick<Props, 'series'>) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-muted text-small">
      {series.map(({ name, tone }) => (
        <li key={name} className="flex items-center gap-2">
          <svg viewBox="0 0 12 12" className="size-3" aria-hidden="true">
            <rect width="12" height="12" className={TONES[tone]} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

type TableProps = Pick<Props, 'label' | 'days'> & {
  columns: readonly Column[]
  summary: string
  dayLabel: string
  locale: Locale
  format(value: number): string
}

function Table({ label, summary, dayLabel, days, columns, format, locale }: TableProps) {
  const cell = (value: number | null | undefined) => (value == null ? '–' : format(value))
  return (
    <TableBehind
      label={label}
      summary={summary}
      columns={[dayLabel, ...columns.map(({ name }) => name)]}
      rows={days
        .map((day, at) => [shortDay(day, locale), ...columns.map(({ values }) => cell(values[at]))])
        .reverse()}
    />
  )
}

type BehindProps = {
  label: string
  summary: string
  columns: readonly string[]
  rows: readonly (readonly ReactNode[])[]
}

/** The numbers behind a picture, for whoever would rather read them. */
function TableBehind({ label, summary, columns, rows }: BehindProps) {
  return (
    <details>
      <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link text-small">
        {summary}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section className="mt-1 max-h-72 overflow-auto" tabIndex={0} aria-label={label}>
        <table className="w-full border-collapse text-small">
          <thead>
            <tr className="border-line border-b text-muted">
              {columns.map((column, at) => (
                <th
                  key={column}
                  scope="col"
                  className={`py-1 pe-3 font-semibold ${at === 0 ? 'text-start' : 'text-end'}`}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="numbers">
            {rows.map(([first, ...rest], row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never reordered
              <tr key={row}>
                <th scope="row">{first}</th>
                {rest.map((cell, at) => (
                  <td key={columns[at + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

function of(values: readonly number[], at: number): number {
  return values[at] ?? 0
}

/** Days are counted in UTC. */
function shortDay(day: string | undefined, locale: Locale): string {
  if (day === undefined) return ''
  return written(`${day}T00:00:00Z`, 'monthDay', { locale, zone: UTC })
}
