import { Section } from '@/app/_ui/section'
import type { ActivityDayWire, ActivityWire } from '@/lib/api/records/activity'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { fill } from '@/lib/i18n/fill'
import { numberFormat } from '@/lib/i18n/formats'
import { GRANT_TYPES } from '@/lib/oidc/grants'
import { BarChart, type Series } from '../_ui/bar-chart'
import { ShareBars } from '../_ui/share-bars'

type Days = readonly ActivityDayWire[]
type Words = Messages['admin']['overview']

export async function Charts({ activity }: { activity: ActivityWire }) {
  const { chart } = (await currentMessages()).admin.overview
  const { days, topApplications } = activity
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-7 xl:grid-cols-2">
        <SignIns days={days} />
        <SecondFactor days={days} />
        <Tokens days={days} />
        <Refusals days={days} />
      </div>
      <BusiestApplications applications={topApplications} days={days.length} />
      {days.some(({ sampled }) => sampled) && (
        <p className="text-muted text-small">{chart.sampled}</p>
      )}
    </>
  )
}

async function SignIns({ days }: { days: Days }) {
  const { signIns: words, totals } = (await currentMessages()).admin.overview
  const count = sum(days, ({ signIns }) => signIns)
  const failed = sum(days, ({ failedSignIns }) => failedSignIns)
  const text = fill(words.text, {
    count: await written(count),
    failed: await written(failed),
    days: String(days.length),
  })
  return (
    <Section title={words.title} text={text}>
      <BarChart
        label={text}
        days={days.map(({ day }) => day)}
        series={[
          { name: words.good, tone: 'accent', values: days.map(({ signIns }) => signIns) },
          {
            name: words.failed,
            tone: 'danger',
            values: days.map(({ failedSignIns }) => failedSignIns),
          },
        ]}
        also={[
          { name: totals.active, values: days.map(({ activeUsers }) => activeUsers) },
          { name: totals.newUsers, values: days.map(({ newUsers }) => newUsers) },
        ]}
      />
    </Section>
  )
}

async function SecondFactor({ days }: { days: Days }) {
  const { factors: words } = (await currentMessages()).admin.overview
  const all = sum(days, ({ signIns }) => signIns)
  const proved = sum(days, ({ secondFactorSignIns }) => secondFactorSignIns)
  const locale = await currentLocale()
  const percent = (value: number) =>
    numberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(value / 100)
  const text = all === 0 ? words.none : fill(words.text, { share: percent(share(proved, all)) })
  return (
    <Section title={words.title} text={text}>
      <BarChart
        label={text}
        days={days.map(({ day }) => day)}
        most={100}
        format={percent}
        series={[
          {
            name: words.with,
            tone: 'accent',
            values: days.map((day) => share(day.secondFactorSignIns, day.signIns)),
          },
        ]}
      />
    </Section>
  )
}

const TONES = ['accent', 'edge', 'ink', 'danger'] as const

async function Tokens({ days }: { days: Days }) {
  const { overview, applications } = (await currentMessages()).admin
  const { tokens: words } = overview
  const text = fill(words.text, {
    count: await written(sum(days, ({ tokens }) => tokens)),
    refused: await written(sum(days, ({ refusedRequests }) => refusedRequests)),
    days: String(days.length),
  })
  const grants = namesIn(days.map(({ tokensByGrant }) => tokensByGrant)).slice(0, 3)
  const names = new Map<string, string>(choices(GRANT_TYPES, applications.settings.grantTypesShort))
  const series: Series[] = grants.map((grant, at) => ({
    name: names.get(grant) ?? grant,
    tone: TONES[at] ?? 'edge',
    values: days.map(({ tokensByGrant }) => tokensByGrant[grant] ?? 0),
  }))
  const refused = days.map(({ refusedRequests }) => refusedRequests)
  return (
    <Section title={words.title} text={text}>
      <BarChart
        label={text}
        days={days.map(({ day }) => day)}
        series={[...series, { name: words.refused, tone: 'danger', values: refused }]}
      />
    </Section>
  )
}

async function Refusals({ days }: { days: Days }) {
  const { refusals: words, chart } = (await currentMessages()).admin.overview
  const codes = namesIn(days.map(({ refusedScopes }) => refusedScopes))
  const times = (code: string) => sum(days, ({ refusedScopes }) => refusedScopes[code] ?? 0)
  const total = codes.reduce((count, code) => count + times(code), 0)
  const text = fill(words.text, { count: await written(total), days: String(days.length) })
  return (
    <Section title={words.title} text={text}>
      {codes.length === 0 ? (
        <p className="text-muted">{chart.nothing}</p>
      ) : (
        <ShareBars
          label={text}
          lines={codes.map((code) => ({
            id: code,
            name: reasonOf(words, code),
            value: times(code),
          }))}
        />
      )}
    </Section>
  )
}

function reasonOf({ reasons }: Words['refusals'], code: string) {
  const known: Record<string, string> = reasons
  return (
    <span className="grid">
      <span>{known[code] ?? code}</span>
      <code className="code text-muted">{code}</code>
    </span>
  )
}

type Applications = ActivityWire['topApplications']

async function BusiestApplications({
  applications,
  days,
}: {
  applications: Applications
  days: number
}) {
  const { apps: words, chart } = (await currentMessages()).admin.overview
  const text = fill(words.text, { days: String(days) })
  return (
    <Section title={words.title} text={text}>
      {applications.length === 0 ? (
        <p className="text-muted">{chart.nothing}</p>
      ) : (
        <ShareBars
          label={text}
          lines={applications.map(({ id, name, tokens }) => ({
            id,
            name: name === null ? words.gone : <AppLink id={id} name={name} />,
            value: tokens,
          }))}
        />
      )}
    </Section>
  )
}

function AppLink({ id, name }: { id: string; name: string }) {
  return (
    <a href={`/admin/applications/${encodeURIComponent(id)}`} className="text-link">
      {name}
    </a>
  )
}

/** The most frequent first. */
function namesIn(counts: readonly Record<string, number>[]): string[] {
  const totals = new Map<string, number>()
  for (const [name, times] of counts.flatMap((one) => Object.entries(one))) {
    totals.set(name, (totals.get(name) ?? 0) + times)
  }
  return [...totals].sort(([, a], [, b]) => b - a).map(([name]) => name)
}

function sum(days: Days, of: (day: ActivityDayWire) => number): number {
  return days.reduce((total, day) => total + of(day), 0)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, (part / whole) * 100)
}

async function written(count: number): Promise<string> {
  return numberFormat(await currentLocale()).format(count)
}
