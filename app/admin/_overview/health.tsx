import { Section } from '@/app/_ui/section'
import type { FindingWire, HealthWire } from '@/lib/api/records/health'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill, fillUnchecked } from '@/lib/i18n/fill'
import { StateBadge } from '../_ui/state-badge'

const TONES = { ok: 'good', warn: 'warn', fail: 'bad' } as const

/** Pages where the problem can be fixed. */
function pageOf({ check, code }: FindingWire, { pages, settings }: Messages['admin']) {
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
      return { href: '/admin/apis', label: pages['/admin/apis'] }
    default:
      return null
  }
}

/** Problems come first, with their fix; the passed checks are in a list that can be opened. */
export async function Health({ health }: { health: HealthWire }) {
  const { admin } = await currentMessages()
  const { health: words } = admin.overview
  const unwell = worstFirst(health.data).filter(({ state }) => state !== 'ok')
  return (
    <Section title={words.title} text={words[health.state]}>
      {unwell.length > 0 && <Findings findings={unwell} admin={admin} />}
      <details>
        <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link text-small">
          {words.all} ({health.data.length})
        </summary>
        <Findings findings={health.data} admin={admin} />
      </details>
    </Section>
  )
}

const RANK = { fail: 0, warn: 1, ok: 2 } as const

export function worstFirst(findings: readonly FindingWire[]): FindingWire[] {
  return [...findings].sort((a, b) => RANK[a.state] - RANK[b.state])
}

type Props = {
  findings: readonly FindingWire[]
  admin: Messages['admin']
  /** In a column that has no room for the texts beside the states. */
  narrow?: boolean
}

export function Findings({ findings, admin, narrow = false }: Props) {
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
              <StateBadge tone={TONES[state]}>{words.states[state]}</StateBadge>
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
            </div>
          </li>
        )
      })}
    </ul>
  )
}
