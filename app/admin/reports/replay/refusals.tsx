'use client'

import { useLocale } from '@/app/_ui/locale'
import type { RefusalsWire } from '@/lib/api/replay/routes'
import { addRefusals, type RefusalLine, type SettlingLine } from '@/lib/api/replay/sum'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { nextRefusals } from './actions'
import { Running } from './running'
import { useParts } from './use-parts'

type Words = Messages['admin']['access']['replay']
type Props = { first: RefusalsWire; days: number; words: Words }

const SHOWN = 20

/** What was refused, and the change that settles most of it. */
export function Refusals({ first, days, words }: Props) {
  const { sum, state, stop } = useParts(first, (after) => nextRefusals(days, after), joined)
  return (
    <div className="grid gap-4">
      <Running sum={sum} state={state} stop={stop} words={words} />
      {state === 'done' && sum.data.length === 0 && <p>{words.refusalsNone}</p>}
      <ul className="grid gap-3">
        {sum.data.slice(0, SHOWN).map((line) => (
          <Line key={line.scope} line={line} days={days} words={words} />
        ))}
      </ul>
      {sum.policyChanged && <p className="text-small">{words.policyChanged}</p>}
    </div>
  )
}

function joined(sum: RefusalsWire, part: RefusalsWire): RefusalsWire {
  const data = addRefusals(sum.data, part.data) as RefusalsWire['data'] // the lines keep `change`
  const [decisions, unlisted] = [sum.decisions + part.decisions, sum.unlisted + part.unlisted]
  return { ...part, decisions, unlisted, data }
}

type LineProps = { line: RefusalLine; days: number; words: Words }

function Line({ line: { scope, times, settlings }, days, words }: LineProps) {
  const locale = useLocale()
  const [best] = settlings
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 rounded-panel border border-line bg-raised px-5 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <code className="code [overflow-wrap:anywhere]">{scope}</code>
          <span className="font-semibold">{plural(locale, words.count, times)}</span>
        </p>
        <p className="text-small [overflow-wrap:anywhere]">
          {best ? `${sentenceOf(best, words)} ${newlyOf(best, words, locale)}` : words.noSettling}
        </p>
      </div>
      {best && best.do !== 'widen_key' && (
        <a
          href={tryHref(best, scope, days)}
          aria-label={fill(words.tryOf, { scope, name: best.name ?? best.id })}
          className="inline-flex min-h-9 items-center rounded-control border border-edge px-4 font-semibold text-small hover:border-ink"
        >
          {words.tryIt}
        </a>
      )}
    </li>
  )
}

function sentenceOf({ do: what, name, id, times }: SettlingLine, words: Words): string {
  return fill(words.settles[what], { name: name ?? id, times: String(times) })
}

function newlyOf(
  { newlyAllows, atLeast }: SettlingLine,
  words: Words,
  locale: ReturnType<typeof useLocale>,
): string {
  if (newlyAllows === null) return ''
  if (atLeast) return fill(words.newlyAtLeast, { count: String(newlyAllows) })
  return plural(locale, words.newly, newlyAllows)
}

function tryHref({ do: what, id }: SettlingLine, scope: string, days: number): string {
  const target = what === 'add_to_role' ? 'role' : 'application'
  const query = new URLSearchParams({ [target]: id, add: scope, days: String(days) })
  return `/admin/reports/replay?${query}#draft`
}
