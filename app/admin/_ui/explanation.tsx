import { type ReactNode, use } from 'react'
import type { Change as KnownChange } from '@/lib/access/explain'
import { approvalHref, approvalText } from '@/lib/admin/approval-text'
import type { ExplanationWire, StepWire } from '@/lib/api/decision/decision'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fillUnchecked } from '@/lib/i18n/fill'
import type { Parties } from './parties'
import { StateBadge } from './state-badge'

type Words = Messages['admin']['access']['path']
type Props = {
  explanation: ExplanationWire
  granted: boolean
  parties: Parties
  /** What would change the decision; left out where the reader can change nothing. */
  remedies?: boolean
  /** One below the heading that it stands under. */
  heading: Heading
}
type Heading = 'h3' | 'h4'

/** The path of a decision: what decided, what says no, what came close, what would change it. */
export async function Explanation(props: Props) {
  const { explanation, granted, parties, heading, remedies = true } = props
  const { path: words } = (await currentMessages()).admin.access
  const { path, denies, nearMisses } = explanation
  const nothing = path.length + denies.length + nearMisses.length === 0
  const drawn = { parties, words, heading }
  // What no grant could give says so itself.
  const byGrant = explanation.wouldChange.some(({ rule }) => rule !== null)
  return (
    <div className="grid gap-4">
      {nothing && granted && <p className="text-muted">{words.nothing}</p>}
      {nothing && byGrant && <p className="text-muted">{words.none}</p>}
      <Steps title={words.denies} steps={denies} {...drawn} />
      <Steps title={words.decided} steps={path} {...drawn} />
      <Steps title={words.near} steps={nearMisses} {...drawn} />
      {!granted && remedies && <Remedies explanation={explanation} {...drawn} />}
    </div>
  )
}

type Drawn = { parties: Parties; words: Words; heading: Heading }
type StepsProps = Drawn & { title: string; steps: readonly StepWire[] }

function Steps({ title, steps, parties, words, heading: Title }: StepsProps) {
  if (steps.length === 0) return null
  return (
    <div className="grid gap-1.5">
      <Title className="font-semibold text-small">{title}</Title>
      <ul className="grid gap-2">
        {steps.map((step) => (
          <li
            key={`${step.rule} ${step.assignment ?? ''} ${step.grant}`}
            className="grid gap-1 border-line border-s-2 ps-3"
          >
            <Way step={step} parties={parties} words={words} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** From whoever holds it, through group and roles, to the grant. */
function Way({ step, parties, words }: { step: StepWire; parties: Parties; words: Words }) {
  const { group, roles = [], roleIds = [], pattern, condition, outcome, request } = step
  const clock = use(currentClock())
  return (
    <>
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Stop kind={holderKind(step, words)}>{holderOf(step, parties)}</Stop>
        {group !== undefined && (
          <Stop kind={words.group} next>
            <Named href={`/admin/groups/${encodeURIComponent(group)}`} parties={parties}>
              {parties.groups?.get(group) ?? group}
            </Named>
          </Stop>
        )}
        {roles.map((key, at) => (
          <Stop key={roleIds[at] ?? key} kind={words.role} next>
            <Named
              href={`/admin/roles/${encodeURIComponent(roleIds[at] ?? key)}`}
              parties={parties}
            >
              {key}
            </Named>
          </Stop>
        ))}
        {request && (
          <Stop kind={words.request} next>
            <Named href={approvalHref(request)} parties={parties}>
              {approvalText(request, words, clock)}
            </Named>
          </Stop>
        )}
        <Stop kind={words.grant} next>
          <code className="code">{pattern}</code>
        </Stop>
        <li>
          <StateBadge tone={toneOf(outcome)}>{outcomeIn(words, outcome)}</StateBadge>
        </li>
      </ol>
      {condition !== undefined && (
        <p className="text-small">
          <span className="text-muted">{words.condition} </span>
          <code className="code [overflow-wrap:anywhere]">{condition}</code>
        </p>
      )}
    </>
  )
}

function Stop({ kind, next, children }: { kind: string; next?: boolean; children: ReactNode }) {
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2 [overflow-wrap:anywhere]">
      {next && (
        <span aria-hidden="true" className="text-muted">
          →
        </span>
      )}
      <span className="text-muted text-small">{kind}</span>
      <span className="font-medium">{children}</span>
    </li>
  )
}

function holderKind({ rule }: StepWire, words: Words): string {
  const kinds = { application: words.application, access_key: words.accessKey, user: words.user }
  return kinds[rule]
}

function holderOf({ rule }: StepWire, parties: Parties): ReactNode {
  const { application, accessKey, user } = parties
  const party = { application, access_key: accessKey, user }[rule]
  // A check about an application speaks of it as its subject.
  const named = party ?? application
  if (!named) return null
  return (
    <Named href={named.href} parties={parties}>
      {named.name}
    </Named>
  )
}

type NamedProps = { href: string; parties: Parties; children: ReactNode }

function Named({ href, parties, children }: NamedProps) {
  if (parties.plain) return <span>{children}</span>
  return (
    <a className="text-link" href={href}>
      {children}
    </a>
  )
}

function toneOf(outcome: string) {
  if (outcome === 'met') return 'good'
  return outcome === 'denied' ? 'bad' : 'quiet'
}

function outcomeIn({ outcomes: words }: Words, outcome: string): string {
  return Object.hasOwn(words, outcome) ? words[outcome as keyof typeof words] : outcome
}

type Change = ExplanationWire['wouldChange'][number]['oneOf'][number][number]

type RemediesProps = Drawn & { explanation: ExplanationWire }

function Remedies({ explanation, words, parties, heading: Title }: RemediesProps) {
  const { wouldChange } = explanation
  const open = wouldChange.filter(({ oneOf }) => oneOf.length > 0)
  return (
    <div className="grid gap-1.5 rounded-control border border-accent bg-wash px-4 py-3">
      <Title className="font-semibold text-small">{words.change}</Title>
      {open.length < wouldChange.length || open.length === 0 ? (
        <p>{words.noChange}</p>
      ) : (
        <>
          {open.length > 1 && <p className="text-muted text-small">{words.changeAll}</p>}
          <ul className="grid gap-2">
            {open.map((remedy) => (
              <li key={JSON.stringify(remedy)}>
                <Alternatives oneOf={remedy.oneOf} words={words} parties={parties} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Alternatives({
  oneOf,
  words,
  parties,
}: {
  oneOf: Change[][]
  words: Words
  parties: Parties
}) {
  return (
    <ul className="grid gap-1">
      {oneOf.map((changes, at) => (
        <li key={JSON.stringify(changes)} className="[overflow-wrap:anywhere]">
          {at > 0 && <span className="text-muted">{words.or} </span>}
          {changes.map((change, index) => (
            <span key={JSON.stringify(change)}>
              {index > 0 && <span className="text-muted"> {words.and} </span>}
              <OneChange change={change} words={words} parties={parties} />
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}

function OneChange({ change, words, parties }: { change: Change; words: Words; parties: Parties }) {
  const known: Record<string, string> = words.changes satisfies Record<KnownChange['do'], string>
  const values = Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, String(value)]),
  )
  const text = fillUnchecked(known[change.do] ?? change.do, values)
  const href = parties.plain ? undefined : whereOf(change, parties)
  if (!href) return <span>{text}</span>
  return (
    <a className="text-link" href={href}>
      {text}
    </a>
  )
}

/** Where the change is made, as far as one page can be named. */
function whereOf(change: Change, { application, accessKey, user }: Parties): string | undefined {
  switch (change.do) {
    case 'assign_role':
      return user ? `${user.href}/permissions` : `/admin/roles/${change.role}`
    case 'grant_application':
      return application ? `${application.href}/scopes` : undefined
    case 'widen_key':
      return accessKey ? accessKey.href : undefined
    case 'register_item':
      return '/admin/apis'
    case 'enable_subject':
      return user ? user.href : undefined
    default:
      return undefined
  }
}
