import type { AuditEventWire } from '@/lib/api/records/audit'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { CellMoment } from '../_ui/moment'
import { StateBadge } from '../_ui/state-badge'
import type { Column } from '../_ui/table'
import { kindOf } from './kind'
import { meaningOf } from './meaning'

type Words = Messages['admin']['audit']
/** What ids are called, by id. */
type Names = Record<string, string>

/** Entries of the audit log, wherever they are listed. */
export function auditColumns(
  { admin: { audit: words }, events }: Messages,
  names: Names,
  zone: string,
): Column<AuditEventWire>[] {
  return [
    {
      id: 'event',
      label: words.event,
      cell: ({ event }) => (
        <>
          {meaningOf(event, events)} <code>{event}</code>
        </>
      ),
    },
    {
      id: 'at',
      label: fill(words.when, { zone }),
      cell: ({ at }) => <CellMoment at={at} seconds />,
    },
    {
      id: 'result',
      label: words.result,
      cell: ({ result }) => <Result result={result} words={words} />,
    },
    { id: 'actor', label: words.actor, cell: (entry) => <Who {...actorOf(entry, words, names)} /> },
    {
      id: 'target',
      label: words.target,
      cell: ({ targetKind, targetId }) =>
        targetKind && (
          <>
            {kindOf(targetKind, words)}{' '}
            <Who id={targetId ?? words.nobody} name={names[targetId ?? '']} />
          </>
        ),
    },
    { id: 'ip', label: words.ip, cell: ({ ip }) => ip && <Who id={ip} /> },
  ]
}

function Result({ result, words }: { result: string; words: Words }) {
  if (result === 'success') return <span className="text-muted">{words.results.success}</span>
  return <StateBadge tone="bad">{words.results.failure}</StateBadge>
}

const MAX_ID_LENGTH = 20

/** By name; else enough of the id to recognise it by. All of it is on the entry's own page. */
function Who({ id, name }: { id: string; name?: string | undefined }) {
  if (name !== undefined) return <span title={id}>{name}</span>
  const isLong = id.length > MAX_ID_LENGTH
  return (
    <span title={isLong ? id : undefined} className="whitespace-nowrap">
      {isLong ? `${id.slice(0, MAX_ID_LENGTH - 4)}…` : id}
    </span>
  )
}

function actorOf({ actorKind, actorId }: AuditEventWire, words: Words, names: Names) {
  if (actorKind === 'system') return { id: words.actorKinds.system }
  return { id: actorId ?? words.nobody, name: names[actorId ?? ''] }
}
