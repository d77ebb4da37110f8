import { Section } from '@/app/_ui/section'
import type { AdminApi } from '@/lib/admin/api'
import { firstSteps, type Step } from '@/lib/api/records/first-steps'
import { currentMessages, currentSettings } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { FIRST_STEPS } from '@/lib/settings/model'
import { StateBadge } from '../_ui/state-badge'
import { PutAway } from './put-away'

/** Where each step is done, and come back from here; documents where the portal cannot do it. */
const WHERE: Record<Step, string> = {
  api: '/admin/apis/new?from=steps',
  app: '/admin/applications/new?kind=machine&from=steps',
  token: '/admin/first-token',
  signIn: '/admin/applications/new?kind=web',
  invite: '/admin/users/new',
  mail: '/admin/settings/mail',
  branding: '/admin/settings/branding',
  backup: '/docs/operations/backup',
  production: '/docs/how-to/go-to-production',
}

/** What must be done before: without it, its page has nothing to choose from. */
const BEFORE: Partial<Record<Step, readonly Step[]>> = { token: ['api', 'app'] }

type Found = { step: Step; done: boolean | null }

/** From an empty portal to one that others use; until somebody puts the list away. */
export async function FirstSteps({ api }: { api: AdminApi }) {
  if (!mayDoAll(api) || (await arePutAway())) return null
  const { steps: words } = (await currentMessages()).admin.overview
  const { key, data } = await api.get(firstSteps, {})
  const done = data.filter((one) => one.done).length
  return (
    <Section
      title={words.title}
      text={fill(words.text, { done: String(done), count: String(data.length) })}
      id="first-steps"
      aside={<PutAway keys={[key]} at="overview" what="away" label={words.putAway} />}
    >
      <ol className="grid border-line border-b md:grid-cols-2 md:gap-x-10">
        {data.map((found, at) => (
          <Line key={found.step} found={found} number={at + 1} isOpen={isOpen(found.step, data)} />
        ))}
      </ol>
    </Section>
  )
}

/** For whoever finds them gone. */
export async function BringStepsBack({ api }: { api: AdminApi }) {
  if (!mayDoAll(api) || !(await arePutAway())) return null
  const { steps: words } = (await currentMessages()).admin.overview
  return <PutAway keys={[FIRST_STEPS]} at="overview" what="back" label={words.show} />
}

async function arePutAway(): Promise<boolean> {
  return (await currentSettings()).putAway.includes(FIRST_STEPS)
}

/** An auditor has nothing to do here. */
function mayDoAll({ may }: AdminApi): boolean {
  const needed = ['settings:write', 'applications:write', 'resources:write', 'users:write'] as const
  return needed.every(may)
}

function isOpen(step: Step, all: readonly Found[]): boolean {
  const before = BEFORE[step] ?? []
  return all.every((one) => !before.includes(one.step) || one.done)
}

type LineProps = { found: Found; number: number; isOpen: boolean }

async function Line({ found: { step, done }, number, isOpen: open }: LineProps) {
  const { steps: words } = (await currentMessages()).admin.overview
  const go = WHERE[step].startsWith('/docs') ? words.read : words.go
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t py-2.5">
      <span aria-hidden="true" className="font-semibold text-muted tabular-nums">
        {number}
      </span>
      <span className="min-w-0 flex-1">{words[step]}</span>
      {done && <StateBadge tone="good">{words.done}</StateBadge>}
      {!done && !open && <span className="text-muted text-small">{words.later}</span>}
      {!done && open && (
        <a href={WHERE[step]} aria-label={`${go}: ${words[step]}`} className="min-h-6 text-link">
          {go}
        </a>
      )}
    </li>
  )
}
