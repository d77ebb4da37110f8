'use client'

import { Button } from '@/app/_ui/button'
import { useLocale } from '@/app/_ui/locale'
import type { ImpactPreview as MadePreview } from '@/lib/admin/reviewed'
import type { ImpactWire } from '@/lib/api/impact/routes'
import type { Locale, Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { useMade } from './form'
import { Progress, percentOf } from './progress'
import { ReviewBox } from './review-box'
import { useImpact } from './use-impact'

type Words = Messages['admin']['impact']

/** Who gains and loses what by a form. */
export function ImpactPreview({ words }: { words: Words }) {
  const made = useMade<MadePreview>()
  return made ? <Preview made={made} words={words} /> : null
}

function Preview({ made, words }: { made: MadePreview; words: Words }) {
  const { impact, state, stop } = useImpact(made)
  const locale = useLocale()
  return (
    <ReviewBox made={made} title={words.title}>
      <p role="status">{state === 'running' ? words.looking : sentenceOf(impact, words, locale)}</p>
      {state === 'running' && (
        <Progress done={impact.progress} label={words.looking} text={soFar(impact, words)}>
          <Button tone="quiet" onClick={stop}>
            {words.stop}
          </Button>
        </Progress>
      )}
      {state !== 'running' && state !== 'done' && (
        <p className="font-medium">{words.incomplete[state]}</p>
      )}
      {impact.liveTokens > 0 && <p>{plural(locale, words.liveTokens, impact.liveTokens)}</p>}
      <Affected impact={impact} words={words} />
      <p className="text-muted text-small">{words.basis}</p>
      <p className="font-medium">{words.confirmHint}</p>
    </ReviewBox>
  )
}

function soFar({ progress, total }: ImpactWire, words: Words): string {
  return fill(words.soFar, { percent: percentOf(progress), count: String(total) })
}

function sentenceOf({ total }: ImpactWire, words: Words, locale: Locale): string {
  return total === 0 ? words.nobody : plural(locale, words.some, total)
}

const SHOWN_AT_ONCE = 8

function Affected({ impact: { affected, total }, words }: { impact: ImpactWire; words: Words }) {
  const locale = useLocale()
  const [first, rest] = [affected.slice(0, SHOWN_AT_ONCE), affected.slice(SHOWN_AT_ONCE)]
  const people = affected.filter(({ subject }) => subject.type !== 'key').length
  return (
    <>
      <List affected={first} words={words} />
      {rest.length > 0 && (
        <details>
          <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link">
            {fill(words.more, { count: String(rest.length) })}
          </summary>
          <List affected={rest} words={words} />
        </details>
      )}
      {total > people && (
        <p className="text-small">{plural(locale, words.notListed, total - people)}</p>
      )}
    </>
  )
}

function List({ affected, words }: { affected: ImpactWire['affected']; words: Words }) {
  if (affected.length === 0) return null
  return (
    <ul className="grid gap-2">
      {affected.map(({ subject, gains, loses, mayGain, mayLose }) => (
        <li key={subject.id} className="grid gap-0.5 border-line border-t pt-2">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-semibold [overflow-wrap:anywhere]">
              {subject.name ?? subject.id}
            </span>
            <span className="text-muted text-small">{words.types[subject.type]}</span>
          </span>
          <Items label={words.gains} sign="+" items={gains} className="text-accent" />
          <Items label={words.loses} sign="−" items={loses} className="text-danger" />
          <Items label={words.mayGain} sign="+" items={mayGain} className="text-muted" />
          <Items label={words.mayLose} sign="−" items={mayLose} className="text-muted" />
        </li>
      ))}
    </ul>
  )
}

type ItemsProps = { label: string; sign: string; items: readonly string[]; className: string }

function Items({ label, sign, items, className }: ItemsProps) {
  if (items.length === 0) return null
  return (
    <span className="flex flex-wrap gap-x-3 text-small">
      <span className={`font-semibold ${className}`}>
        {sign} {label}
      </span>
      {items.map((item) => (
        <code key={item} className="font-mono [overflow-wrap:anywhere]">
          {item}
        </code>
      ))}
    </span>
  )
}
