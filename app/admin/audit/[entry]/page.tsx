import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { adminPage } from '@/lib/admin/api'
import { besidesChanges, changesIn } from '@/lib/admin/audit-diff'
import { type AuditEventWire, getAuditEvent } from '@/lib/api/records/audit'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { Fact, Facts } from '../../_ui/facts'
import { AdminFrame } from '../../_ui/frame'
import { JsonBlock } from '../../_ui/json-block'
import { StateBadge } from '../../_ui/state-badge'
import { Changes } from '../changes'
import { kindOf } from '../kind'
import { actorHref, explanationHref, scopesGranted, scopesRefused, targetHref } from '../links'
import { meaningOf } from '../meaning'

export const generateMetadata = pageTitle(({ admin }) => admin.audit.title)

/** What ids are called, by id. */
type Names = Record<string, string>

export default async function EntryPage({ params }: PageProps<'entry'>) {
  const api = await adminPage('/admin/audit/[entry]')
  const { entry: id } = await params
  const { audit: words } = (await currentMessages()).admin
  const query = { include: 'names' }
  const { names = {}, ...entry } = await api.get(getAuditEvent, { params: { id }, query })
  const changes = changesIn(entry.detail)
  const rest = besidesChanges(entry.detail)
  return (
    <AdminFrame
      api={api}
      page="/admin/audit"
      title={fill(words.entry.title, { seq: entry.seq, event: entry.event })}
      above={{ href: '/admin/audit', label: words.title }}
    >
      <EventFacts entry={entry} names={names} />
      {changes && (
        <Section title={words.entry.changes}>
          <Changes changes={changes} words={words.entry} />
        </Section>
      )}
      <Scopes entry={entry} />
      {rest && (
        <Section title={words.entry.detail}>
          <JsonBlock value={rest} label={words.entry.detail} />
        </Section>
      )}
      <details>
        <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link">
          {words.entry.raw}
        </summary>
        <JsonBlock value={entry} label={words.entry.raw} />
      </details>
    </AdminFrame>
  )
}

async function EventFacts({ entry, names }: { entry: AuditEventWire; names: Names }) {
  const nameOf = (id: string | null) => (id === null ? undefined : names[id])
  const { admin, events } = await currentMessages()
  const { entry: words, results, actorKinds, kinds, nobody } = admin.audit
  const isGood = entry.result === 'success'
  const actorKind: string | undefined = (actorKinds as Record<string, string>)[entry.actorKind]
  const explanation = explanationHref(entry)
  return (
    <Section title={words.facts}>
      <Facts>
        <Fact term={words.event}>
          <Near name="event" value={entry.event} />
          <span className="text-muted">{meaningOf(entry.event, events)}</span>
        </Fact>
        <Fact term={words.result}>
          <StateBadge tone={isGood ? 'good' : 'bad'}>
            {isGood ? results.success : results.failure}
          </StateBadge>
        </Fact>
        <Fact term={words.at}>
          <When at={entry.at} full />
        </Fact>
        <Fact term={words.actor}>
          {actorKind ?? entry.actorKind}
          {entry.actorKind !== 'system' && (
            <Linked href={actorHref(entry)} name={nameOf(entry.actorId)}>
              {entry.actorId ?? nobody}
            </Linked>
          )}
        </Fact>
        {entry.targetKind !== null && (
          <Fact term={words.target}>
            {kindOf(entry.targetKind, { kinds })}
            <Linked href={targetHref(entry)} name={nameOf(entry.targetId)}>
              {entry.targetId ?? nobody}
            </Linked>
          </Fact>
        )}
        {entry.applicationId !== null && (
          <Fact term={words.application}>
            <Linked
              href={`/admin/applications/${encodeURIComponent(entry.applicationId)}`}
              name={nameOf(entry.applicationId)}
            >
              {entry.applicationId}
            </Linked>
          </Fact>
        )}
        <Traces entry={entry} words={words} />
      </Facts>
      {explanation !== null && (
        <a href={explanation} className="w-fit text-link">
          {words.explain}
        </a>
      )}
    </Section>
  )
}

type EntryWords = Messages['admin']['audit']['entry']

/** Where a request came from, and what else belongs to it. */
function Traces({ entry, words }: { entry: AuditEventWire; words: EntryWords }) {
  return (
    <>
      {entry.ip !== null && (
        <Fact term={words.ip}>
          <Near name="ip" value={entry.ip} />
        </Fact>
      )}
      {entry.requestId !== null && (
        <Fact term={words.requestId}>
          <code className="code">{entry.requestId}</code>
          <Near name="requestId" value={entry.requestId} text={words.sameRequest} />
        </Fact>
      )}
      {entry.decisionId !== null && (
        <Fact term={words.decisionId}>
          <code className="code">{entry.decisionId}</code>
          <Near name="decisionId" value={entry.decisionId} text={words.sameDecision} />
        </Fact>
      )}
    </>
  )
}

/** Others like it. */
function Near({ name, value, text }: { name: string; value: string; text?: string }) {
  return (
    <a href={`/admin/audit?${new URLSearchParams({ [name]: value })}`} className="text-link">
      {text ?? <code className="code">{value}</code>}
    </a>
  )
}

type LinkedProps = { href: string | null; name: string | undefined; children: string }

/** Who is gone has an id and no page. */
function Linked({ href, name, children: id }: LinkedProps) {
  const text = name ?? <code className="code">{id}</code>
  return (
    <>
      {href === null ? (
        text
      ) : (
        <a href={href} className="text-link">
          {text}
        </a>
      )}
      {name !== undefined && <code className="code text-muted">{id}</code>}
    </>
  )
}

async function Scopes({ entry: { event, detail } }: { entry: AuditEventWire }) {
  const { audit, overview } = (await currentMessages()).admin
  const { entry: words } = audit
  const granted = event === 'token.issued' ? scopesGranted(detail) : []
  const refused = scopesRefused(detail)
  if (granted.length + refused.length === 0) return null
  const reasons: Record<string, string> = overview.refusals.reasons
  return (
    <Section title={words.scopes}>
      <Facts>
        {granted.length > 0 && (
          <Fact term={words.granted}>
            {granted.map((scope) => (
              <code key={scope} className="code">
                {scope}
              </code>
            ))}
          </Fact>
        )}
        {refused.length > 0 && (
          <Fact term={words.refused}>
            <ul className="grid gap-1">
              {refused.map(({ scope, code }) => (
                <li key={scope}>
                  <code className="code">{scope}</code>
                  {code !== '' && `: ${reasons[code] ?? code}`}
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
