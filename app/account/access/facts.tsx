import type { ReactNode } from 'react'
import { Badge } from '@/app/_ui/badge'
import { When } from '@/app/_ui/when'
import { type ApproverWire, namesOfApprovers } from '@/lib/api/requests/approver-names'
import type { AccessRequestWire } from '@/lib/api/requests/wire'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill, fillUnchecked } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { op } from '@/lib/op'

/** What requests show to those who ask and to those who decide. */

export function FactList({ children }: { children: ReactNode }) {
  return (
    <dl className="grid gap-x-6 gap-y-1.5 sm:grid-cols-[max-content_minmax(0,1fr)]">{children}</dl>
  )
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid sm:contents">
      <dt className="text-muted max-sm:text-small">{term}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

export async function Marks({ sensitive, emergency }: { sensitive: boolean; emergency?: boolean }) {
  const { requests: words } = await currentMessages()
  return (
    <>
      {emergency && <Badge>{words.emergency}</Badge>}
      {sensitive && <Badge>{words.sensitive}</Badge>}
    </>
  )
}

type AskedFor = Pick<AccessRequestWire, 'scope' | 'api' | 'application' | 'lacks' | 'resource'>

/** The permission, where it counts, and for which application or in which it was refused. */
export async function WhatFacts({ asked }: { asked: AskedFor }) {
  const { requests: words } = await currentMessages()
  const { scope, api, application, lacks, resource } = asked
  const forIt = lacks.includes('application') ? words.application : words.refusedIn
  return (
    <>
      <Fact term={words.scope}>
        <code className="code">{scope}</code>
      </Fact>
      {api && <Fact term={words.api}>{api.name}</Fact>}
      {application && <Fact term={forIt}>{application.name}</Fact>}
      {resource && (
        <Fact term={words.resource}>{[resource.type, resource.id].filter(Boolean).join(' ')}</Fact>
      )}
    </>
  )
}

/** What was asked, when, why and for how long. */
export async function RequestFacts({ request }: { request: AccessRequestWire }) {
  const { requests: words } = await currentMessages()
  const until = request.approvedUntil ?? request.requestedUntil
  const { madeBy } = request
  return (
    <FactList>
      <WhatFacts asked={request} />
      {madeBy !== null && <Fact term={words.madeBy}>{madeBy.name}</Fact>}
      <Fact term={request.review === null ? words.asked : words.emergencies.openedAt}>
        <When at={new Date(request.createdAt)} />
      </Fact>
      {until !== null && <Fact term={words.until}>{await momentText(until)}</Fact>}
      {request.decidedAt !== null && request.review === null && (
        <Fact term={words.decided}>
          <When at={new Date(request.decidedAt)} />
        </Fact>
      )}
      <Fact term={madeBy === null ? words.reason : fill(words.reasonBy, { app: madeBy.name })}>
        {request.reason === null ? (
          <span className="text-muted">{words.noReason}</span>
        ) : (
          <span className="whitespace-pre-line">{request.reason}</span>
        )}
      </Fact>
    </FactList>
  )
}

type Stage = {
  approvers: readonly ApproverWire[]
  needed: number
  escalateTo: readonly ApproverWire[]
  approvals?: number
}

/** Who decides, step by step, and how far it is; `current` is null for what is not asked yet. */
export async function Stages({
  stages,
  current = null,
}: {
  stages: readonly Stage[]
  current?: number | null
}) {
  const { requests: words } = await currentMessages()
  const locale = await currentLocale()
  const all = stages.flatMap(({ approvers, escalateTo }) => [...approvers, ...escalateTo])
  const names = await namesOfApprovers(await op(), all)
  const total = String(stages.length)
  return (
    <ol className="grid gap-3">
      {stages.map(({ approvers, needed, approvals }, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
          key={at}
          aria-current={at === current ? 'step' : undefined}
          className="grid gap-0.5 border-line border-s-2 ps-3 aria-[current]:border-accent"
        >
          {stages.length > 1 && (
            <span className="font-semibold">
              {fill(words.stage, { number: String(at + 1), total })}
            </span>
          )}
          <span className="[overflow-wrap:anywhere]">
            {approvers.map((one) => approverText(one, names, words)).join(' · ')}
          </span>
          <span className="text-muted text-small">
            {approvals === undefined
              ? plural(locale, words.needed, needed)
              : plural(locale, words.progress, needed, { done: String(approvals) })}
          </span>
        </li>
      ))}
    </ol>
  )
}

export function approverText(
  { type, id = '', attribute }: ApproverWire,
  names: ReadonlyMap<string, string>,
  { approver }: Pick<Messages['requests'], 'approver'>,
): string {
  return fillUnchecked(approver[type], { name: attribute ?? names.get(id) ?? id })
}

/** Who has decided, and what they said. */
export async function Votes({ votes }: Pick<AccessRequestWire, 'votes'>) {
  const { requests: words } = await currentMessages()
  if (votes.length === 0) return <p className="text-muted">{words.votesNone}</p>
  return (
    <ul className="grid gap-3">
      {votes.map(({ stage, approver, approved, reason, at }) => (
        <li key={`${stage} ${approver.id}`} className="grid gap-0.5">
          <span>
            {fill(approved ? words.voteApproved : words.voteDenied, { name: approver.name })}{' '}
            <span className="text-muted text-small">
              <When at={new Date(at)} />
            </span>
          </span>
          {reason !== null && (
            <span className="border-line border-s-2 ps-3 whitespace-pre-line [overflow-wrap:anywhere]">
              {reason}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

const DONE = new Set(['denied', 'expired', 'cancelled', 'failed'])

type State = Pick<AccessRequestWire, 'status'> & { review: { justified: boolean | null } | null }

export async function StatusBadge({ request }: { request: State }) {
  const { requests: words } = await currentMessages()
  const tone = DONE.has(request.status) ? 'quiet' : 'accent'
  return <Badge tone={tone}>{statusText(request, words)}</Badge>
}

/** Nobody approved what somebody opened alone. */
export function statusText({ status, review }: State, words: Messages['requests']): string {
  if (review === null) return words.statuses[status]
  if (review.justified === null) return words.openedStates.unreviewed
  return words.openedStates[review.justified ? 'justified' : 'unjustified']
}
