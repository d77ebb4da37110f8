import type { KeyScheduleWire, SigningKeyWire } from '@/lib/api/settings/signing-keys'
import { DAY_MS } from '@/lib/base/time'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { written } from '@/lib/i18n/moments'
import { shortKid } from './short-kid'

type Props = {
  alg: string
  keys: readonly SigningKeyWire[]
  schedule: KeyScheduleWire | undefined
}

type Words = Messages['admin']['keys']
type Phase = 'published' | 'signs' | 'retires' | 'planned' | 'revoked'
type Stretch = { phase: Phase; from: number; to: number }

const MAX_ROWS = 6
const WIDTH = 1000
const HALF = WIDTH / 2
const MIN_PAST_MS = 60 * 60 * 1000
const HEIGHT = 20
const THINNEST = 8

const LOOKS: Record<Phase, string> = {
  published: 'fill-wash stroke-accent',
  signs: 'fill-accent stroke-accent',
  retires: 'fill-edge stroke-edge',
  planned: 'fill-raised stroke-accent [stroke-dasharray:3_3]',
  revoked: 'fill-danger stroke-danger',
}

/** Each key is a line: published, then signing, then only there to be checked against. */
export async function Timeline({ alg, keys, schedule }: Props) {
  const { keys: words } = (await currentMessages()).admin
  const now = Date.now()
  const rows = keys.slice(0, MAX_ROWS).map((key) => ({
    key,
    stretches: stretchesOf(key, schedule, now),
  }))
  const ends = rows.flatMap(({ stretches }) => stretches.flatMap(({ from, to }) => [from, to]))
  const start = Math.min(now - MIN_PAST_MS, ...ends)
  const end = Math.max(now + 1, ...ends)
  // Minutes behind us and months ahead: each has a half, and now is in the middle.
  const at = (moment: number) =>
    moment < now
      ? ((moment - start) / (now - start)) * HALF
      : HALF + ((moment - now) / (end - now)) * HALF
  return (
    <figure className="grid gap-2" aria-label={fill(words.timeline, { alg })}>
      {rows.map(({ key, stretches }) => (
        <div
          key={key.kid}
          className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-x-3 sm:grid-cols-[6.5rem_minmax(0,1fr)]"
        >
          <a
            href={`/admin/keys/${encodeURIComponent(key.kid)}`}
            className="flex min-h-6 items-center font-mono text-link text-small"
          >
            {shortKid(key.kid)}
          </a>
          <Line name={words.states[key.state]} stretches={stretches} at={at} now={at(now)} />
        </div>
      ))}
      <Axis moments={[start, end]} now={words.now} />
      <Legend words={words} rows={rows.flatMap(({ stretches }) => stretches)} />
    </figure>
  )
}

type LineProps = {
  name: string
  stretches: readonly Stretch[]
  at(moment: number): number
  now: number
}

function Line({ name, stretches, at, now }: LineProps) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
      className="h-5 w-full"
    >
      <title>{name}</title>
      <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} className="stroke-line" />
      {stretches.map(({ phase, from, to }) => (
        <rect
          key={phase}
          x={Math.min(at(from), WIDTH - THINNEST)}
          y="3"
          width={Math.max(at(to) - at(from), THINNEST)}
          height={HEIGHT - 6}
          vectorEffect="non-scaling-stroke"
          className={LOOKS[phase]}
        />
      ))}
      <line
        x1={now}
        x2={now}
        y1="0"
        y2={HEIGHT}
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
        className="stroke-ink"
      />
    </svg>
  )
}

async function Axis({ moments, now }: { moments: readonly [number, number]; now: string }) {
  const clock = await currentClock()
  const text = (moment: number) => {
    const isNear = Math.abs(moment - Date.now()) < DAY_MS
    return written(moment, isNear ? 'hour' : 'day', clock)
  }
  return (
    <p className="ms-[6.25rem] grid grid-cols-3 gap-2 text-muted text-small sm:ms-[7.25rem]">
      <span>{text(moments[0])}</span>
      <span className="text-center">{now}</span>
      <span className="text-end">{text(moments[1])}</span>
    </p>
  )
}

function Legend({ words, rows }: { words: Words; rows: readonly Stretch[] }) {
  const names: Record<Phase, string> = { ...words, revoked: words.states.revoked }
  const shown = (Object.keys(LOOKS) as Phase[]).filter((phase) =>
    rows.some((stretch) => stretch.phase === phase),
  )
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-muted text-small">
      {shown.map((phase) => (
        <li key={phase} className="flex items-center gap-2">
          <svg viewBox="0 0 14 14" className="size-3.5" aria-hidden="true">
            <rect x="1" y="1" width="12" height="12" className={LOOKS[phase]} />
          </svg>
          {names[phase]}
        </li>
      ))}
      <li className="flex items-center gap-2">
        <svg viewBox="0 0 14 14" className="size-3.5" aria-hidden="true">
          <line x1="7" x2="7" y1="0" y2="14" strokeWidth="2" className="stroke-ink" />
        </svg>
        {words.now}
      </li>
    </ul>
  )
}

function stretchesOf(
  key: SigningKeyWire,
  schedule: KeyScheduleWire | undefined,
  now: number,
): Stretch[] {
  const created = Date.parse(key.createdAt)
  const activates = Date.parse(key.activatesAt)
  const retired = key.retiredAt === null ? null : Date.parse(key.retiredAt)
  const removed = key.removedAt === null ? null : Date.parse(key.removedAt)
  const replaced = schedule?.activatesAt ? Date.parse(schedule.activatesAt) : null
  const published = created < activates ? [{ from: created, to: activates }] : []
  const signed = activates < (retired ?? now) ? [{ from: activates, to: retired ?? now }] : []
  const planned = key.state === 'active' && replaced !== null ? [{ from: now, to: replaced }] : []
  const checked =
    retired !== null && removed !== null && key.state !== 'revoked'
      ? [{ from: retired, to: removed }]
      : []
  const revoked =
    key.state === 'revoked' && retired !== null ? [{ from: retired, to: retired }] : []
  return [
    ...published.map((stretch) => ({ phase: 'published' as const, ...stretch })),
    ...signed.map((stretch) => ({ phase: 'signs' as const, ...stretch })),
    ...planned.map((stretch) => ({ phase: 'planned' as const, ...stretch })),
    ...checked.map((stretch) => ({ phase: 'retires' as const, ...stretch })),
    ...revoked.map((stretch) => ({ phase: 'revoked' as const, ...stretch })),
  ]
}
