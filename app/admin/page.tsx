import { adminPage } from '@/lib/admin/api'
import * as reports from '@/lib/api/records/activity'
import { health } from '@/lib/api/records/health'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { Charts } from './_overview/charts'
import { BringStepsBack, FirstSteps } from './_overview/first-steps'
import { Health } from './_overview/health'
import { Totals } from './_overview/totals'
import { AdminFrame } from './_ui/frame'

export const generateMetadata = pageTitle(({ admin }) => admin.pages['/admin'])

const RANGES = ['7', '30', '90'] as const
type Range = (typeof RANGES)[number]

export default async function OverviewPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin')
  const { days: asked, done } = await searchParams
  const { admin } = await currentMessages()
  const range = RANGES.find((one) => one === asked) ?? '30'
  const activity = await api.get(reports.activity, { query: { days: range } })
  return (
    <AdminFrame
      api={api}
      page="/admin"
      title={admin.pages['/admin']}
      intro={admin.overview.intro}
      action={<Ranges chosen={range} />}
      done={done}
    >
      <FirstSteps api={api} />
      {api.may('settings:read') && <Health api={api} health={await api.get(health, {})} />}
      <Totals activity={activity} />
      <Charts activity={activity} />
      <BringStepsBack api={api} />
    </AdminFrame>
  )
}

async function Ranges({ chosen }: { chosen: Range }) {
  const { overview: words } = (await currentMessages()).admin
  return (
    <nav aria-label={words.range} className="flex rounded-control border border-edge">
      {RANGES.map((range) => (
        <a
          key={range}
          href={`/admin?days=${range}`}
          aria-current={range === chosen ? 'true' : undefined}
          className="flex min-h-10 items-center px-4 text-small hover:bg-wash aria-[current]:bg-wash aria-[current]:font-semibold"
        >
          {words.ranges[range]}
        </a>
      ))}
    </nav>
  )
}
