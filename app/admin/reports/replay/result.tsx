'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { useLocale } from '@/app/_ui/locale'
import type { ReplayWire } from '@/lib/api/replay/routes'
import { addReplays, type FlipLine } from '@/lib/api/replay/sum'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { useMade } from '../../_ui/form'
import { nextReplay, type ReplayedDraft } from './actions'
import { Running } from './running'
import { useParts } from './use-parts'

type Words = Messages['admin']['access']['replay']

/** Within the form, after it was sent: what the draft would change, as far as it was read. */
export function ReplayResult({ words }: { words: Words }) {
  const made = useMade<ReplayedDraft>()
  return made ? <Shown made={made} words={words} /> : null
}

function Shown({ made, words }: { made: ReplayedDraft; words: Words }) {
  const box = useRef<HTMLElement>(null)
  const { sum, state, stop } = useParts(
    made.first,
    (after) => nextReplay(made.draft, after),
    addReplays,
  )
  useEffect(() => {
    if (made) box.current?.focus()
  }, [made])
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-labelledby="replay-result"
      className="grid min-w-0 gap-4 rounded-panel border-2 border-accent bg-wash px-5 py-4"
    >
      <h2 id="replay-result" className="font-semibold text-lead">
        {words.result}
      </h2>
      <Running sum={sum} state={state} stop={stop} words={words} />
      <Counts sum={sum} words={words} done={state === 'done'} />
      <Flips flips={sum.flips} words={words} />
      {sum.unlisted > 0 && <p>{fill(words.unlisted, { count: String(sum.unlisted) })}</p>}
      <Untold sum={sum} words={words} />
    </section>
  )
}

type CountsProps = { sum: ReplayWire; words: Words; done: boolean }

function Counts({ sum, words, done }: CountsProps) {
  const locale = useLocale()
  const untold = sum.untold.reduce((all, { times }) => all + times, 0)
  const isSame = done && sum.toAllowed + sum.toRefused === 0
  return (
    <>
      {isSame && (
        <p role="status">
          {sum.decisions === 0 ? words.none : fill(words.nothing, { count: String(sum.same) })}
        </p>
      )}
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure label={words.allowed} value={sum.toAllowed} />
        <Figure label={words.refused} value={sum.toRefused} />
        <Figure label={words.same} value={sum.same} />
        <Figure label={words.untold} value={untold} />
      </dl>
      {sum.tokensLost + sum.tokensGained > 0 && (
        <p>
          {fill(words.tokens, {
            lost: String(sum.tokensLost),
            gained: String(sum.tokensGained),
          })}
        </p>
      )}
      {sum.policyChanged && <p className="text-small">{words.policyChanged}</p>}
      {sum.changedSince > 0 && (
        <p className="text-small">{plural(locale, words.changedSince, sum.changedSince)}</p>
      )}
    </>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div className="grid content-start gap-0.5 rounded-control border border-line bg-raised px-3 py-2">
      <dt className="text-muted text-small">{label}</dt>
      <dd className="font-semibold text-lead tabular-nums">{value}</dd>
    </div>
  )
}

function Flips({ flips, words }: { flips: readonly FlipLine[]; words: Words }) {
  if (flips.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable
    <section className="overflow-x-auto" tabIndex={0} aria-label={words.table}>
      <table className="w-full text-start text-small">
        <caption className="sr-only">{words.table}</caption>
        <thead>
          <tr className="border-line border-b text-muted">
            <Head>{words.how}</Head>
            <Head>{words.times}</Head>
            <Head>{words.scope}</Head>
            <Head>{words.who}</Head>
            <Head>{words.at}</Head>
          </tr>
        </thead>
        <tbody>
          {flips.map((one) => (
            <tr
              key={`${one.to} ${one.scope} ${one.subject.id} ${one.application.id}`}
              className="border-line border-b"
            >
              <Cell>
                <span className={one.to === 'allowed' ? 'text-accent' : 'text-danger'}>
                  {one.to === 'allowed' ? `+ ${words.toAllowed}` : `− ${words.toRefused}`}
                </span>
              </Cell>
              <Cell>
                <span className="tabular-nums">{one.times}</span>
              </Cell>
              <Cell>
                <code className="font-mono">{one.scope}</code>
              </Cell>
              <Cell>{one.subject.name ?? one.subject.id}</Cell>
              <Cell>{one.application.name ?? one.application.id}</Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Head({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className="py-2 pe-4 text-start font-semibold">
      {children}
    </th>
  )
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="whitespace-nowrap py-2 pe-4">{children}</td>
}

function Untold({ sum, words }: { sum: ReplayWire; words: Words }) {
  if (sum.untold.length === 0) return null
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold text-small">{words.untold}</h3>
      <ul className="grid gap-1 text-small">
        {sum.untold.map(({ reason, times }) => (
          <li key={reason}>
            {reasonOf(words, reason)}: {times}
          </li>
        ))}
      </ul>
    </div>
  )
}

function reasonOf({ reasons }: Words, reason: string): string {
  return Object.entries(reasons).find(([name]) => name === reason)?.[1] ?? reason
}
