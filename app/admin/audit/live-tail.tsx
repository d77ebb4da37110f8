'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/button'
import type { AuditEventWire } from '@/lib/api/records/audit'
import { type Clock, written } from '@/lib/i18n/moments'

/** Follows the log while somebody watches; without script a link loads the page again. */

const EVERY_MS = 2_500
const MAX_KEPT = 200

type Words = {
  follow: string
  stop: string
  reload: string
  waiting: string
  lost: string
  refused: string
  label: string
}

type Props = {
  /** The newest entry that the page shows. */
  after: string
  /** The page's filters. */
  query: string
  here: string
  words: Words
  clock: Clock
}

type Trouble = 'lost' | 'refused' | null

export function LiveTail({ after, query, here, words, clock }: Props) {
  const [following, setFollowing] = useState(false)
  const [entries, setEntries] = useState<AuditEventWire[]>([])
  const [trouble, setTrouble] = useState<Trouble>(null)
  const newest = useRef(after)

  useEffect(() => {
    if (!following) return
    const look = async () => {
      const answer = await newer(newest.current, query)
      setTrouble(typeof answer === 'string' ? answer : null)
      if (typeof answer === 'string' || answer.length === 0) return
      newest.current = answer[0]?.seq ?? newest.current
      setEntries((known) => [...answer, ...known].slice(0, MAX_KEPT))
    }
    look()
    const timer = setInterval(look, EVERY_MS)
    return () => clearInterval(timer)
  }, [following, query])

  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-4">
        <span className="needs-script">
          <Button tone="quiet" aria-pressed={following} onClick={() => setFollowing(!following)}>
            {following ? words.stop : words.follow}
          </Button>
        </span>
        <a href={here} className="inline-flex min-h-11 items-center text-link text-small">
          {words.reload}
        </a>
      </div>
      {following && (
        <div className="rounded-panel border border-accent bg-wash px-4 py-3">
          <p className="text-muted text-small">{trouble ? words[trouble] : words.waiting}</p>
          <ol role="log" aria-label={words.label} className="grid divide-y divide-line">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} clock={clock} />
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}

type EntryProps = { entry: AuditEventWire; clock: Clock }

function Entry({ entry: { id, at, event, result, actorId, ip }, clock }: EntryProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-1.5 text-small">
      <time dateTime={at} className="text-muted tabular-nums">
        {written(at, 'hourWithSeconds', clock)}
      </time>
      <a href={`/admin/audit/${id}`} className="font-mono text-link">
        {event}
      </a>
      {result === 'failure' && <span className="text-danger">✕</span>}
      <span className="min-w-0 text-muted [overflow-wrap:anywhere]">
        {[actorId, ip].filter(Boolean).join(' · ')}
      </span>
    </li>
  )
}

async function newer(after: string, query: string): Promise<AuditEventWire[] | (Trouble & string)> {
  const search = new URLSearchParams(query)
  search.set('after', after)
  search.set('limit', String(MAX_KEPT))
  const response = await fetch(`/api/v1/audit-events?${search}`).catch(() => null)
  if (response?.status === 401 || response?.status === 403) return 'refused'
  if (!response?.ok) return 'lost'
  return (await response.json()).data
}
