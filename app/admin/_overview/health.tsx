import { Section } from '@/app/_ui/section'
import type { AdminApi } from '@/lib/admin/api'
import type { FindingWire, HealthWire } from '@/lib/api/records/health'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill, fillUnchecked } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { StateBadge } from '../_ui/state-badge'
import { PutAway } from './put-away'

const TONES = { ok: 'good', warn: 'warn', fail: 'bad' } as const

/** Pages where the problem can be fixed. */
function pageOf({ check, code }: FindingWire, { pages, settings, governance }: Messages['admin']) {
  switch (check) {
    case 'mail':
      return { href: '/admin/settings/mail', label: settings.tabs.mail }
    case 'outbox': {
      const state = code === 'outbox_failed' ? 'failed' : 'waiting'
      return { href: `/admin/settings/outbox?state=${state}`, label: settings.tabs.outbox }
    }
    case 'keys':
      return { href: '/admin/keys', label: pages['/admin/keys'] }
    case 'applications':
      return { href: '/admin/applications', label: pages['/admin/applications'] }
    case 'requests':
      return { href: '/admin/governance/rules', label: governance.parts.rules }
    default:
      return null
  }
}

type HealthProps = { api: AdminApi; health: HealthWire }

/**
 * What somebody should look at, with its fix; what is normal on one's own machine in one line. The
 * page of all checks is one link away.
 */
export async function Health({ api, health }: HealthProps) {
  const { admin } = await currentMessages()
  const { health: words } = admin.overview
  const unwell = worstFirst(health.data).filter(({ state }) => state !== 'ok')
  const shown = unwell.filter(({ putAway }) => !putAway)
  const problems = shown.filter(({ expected }) => !expected)
  const state = problems[0]?.state ?? (unwell.length === 0 ? 'ok' : null)
  return (
    <Section title={words.title} {...(state !== null && { text: words[state] })}>
      {problems.length > 0 && (
        <Findings findings={problems} admin={admin} api={api} at="overview" />
      )}
      <Expected api={api} findings={shown.filter(({ expected }) => expected)} />
      <p className="flex flex-wrap gap-x-3 text-small">
        {shown.length < unwell.length && (
          <span className="text-muted">
            {plural(await currentLocale(), words.hidden, unwell.length - shown.length)}
          </span>
        )}
        <a href="/admin/settings/health" className="text-link">
          {words.all}
        </a>
      </p>
    </Section>
  )
}

/** Warnings that mean nothing until others use the portal. */
async function Expected({ api, findings }: { api: AdminApi; findings: readonly FindingWire[] }) {
  const { health: words } = (await currentMessages()).admin.overview
  if (findings.length === 0) return null
  const names = findings.map(({ check }) => words.checks[check]).join(', ')
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="min-w-0 max-w-[46rem]">
        {fill(words.local, { names })}{' '}
        <a href="/docs/how-to/go-to-production" className="text-link">
          {words.localLink}
        </a>
      </p>
      {api.may('settings:write') && (
        <PutAway keys={findings.map(({ key }) => key)} at="overview" what="away" name={names} />
      )}
    </div>
  )
}

const RANK = { fail: 0, warn: 1, ok: 2 } as const

export function worstFirst(findings: readonly FindingWire[]): FindingWire[] {
  return [...findings].sort((a, b) => RANK[a.state] - RANK[b.state])
}

type Props = {
  findings: readonly FindingWire[]
  admin: Messages['admin']
  /** For whoever may put warnings away, and the page that the button leads back to. */
  api?: AdminApi
  at?: 'overview' | 'health'
  /** In a column that has no room for the texts beside the states. */
  narrow?: boolean
}

export function Findings({ findings, admin, api, at = 'health', narrow = false }: Props) {
  const { health: words } = admin.overview
  return (
    <ul className="grid divide-y divide-line">
      {findings.map((finding) => {
        const { check, state, code, values } = finding
        const text: { detail: string; fix?: string } = admin.health[code]
        const page = pageOf(finding, admin)
        return (
          <li
            key={code}
            className={`grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1 py-2.5 ${narrow ? '' : 'sm:grid-cols-[7rem_6.5rem_minmax(0,1fr)]'}`}
          >
            <span className="font-semibold">{words.checks[check]}</span>
            <span>
              <StateBadge tone={finding.putAway ? 'quiet' : TONES[state]}>
                {finding.putAway ? words.isPutAway : words.states[state]}
              </StateBadge>
            </span>
            <div
              className={`grid min-w-0 gap-0.5 [overflow-wrap:anywhere] ${narrow ? 'col-span-2' : 'max-sm:col-span-2'}`}
            >
              <p>{fillUnchecked(text.detail, values)}</p>
              {text.fix !== undefined && (
                <p className="text-muted">
                  {fill(words.fix, { fix: fillUnchecked(text.fix, values) })}{' '}
                  {page && (
                    <a href={page.href} className="text-link">
                      {page.label}
                    </a>
                  )}
                </p>
              )}
              {state === 'warn' && api?.may('settings:write') && (
                <Away finding={finding} at={at} name={words.checks[check]} />
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

type AwayProps = { finding: FindingWire; at: 'overview' | 'health'; name: string }

function Away({ finding: { key, putAway }, at, name }: AwayProps) {
  return (
    <div className="mt-1">
      <PutAway keys={[key]} at={at} what={putAway ? 'back' : 'away'} name={name} />
    </div>
  )
}
