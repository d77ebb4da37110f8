import type { ReactNode } from 'react'
import { When } from '@/app/_ui/when'
import type { Agent } from '@/lib/accounts/connected-apps'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'

type Words = Messages['account']['apps']

/** Who an agent says it is, since when it acts, what it did and whom it let act in turn. */
export async function AgentFacts({ agent }: { agent: Agent }) {
  const { apps: words } = (await currentMessages()).account
  const { consent } = await currentMessages()
  const { host, verified, since, lastActs, passedTo } = agent
  const from = host === null ? words.fromUnknown : fill(words.from[agent.by], { host })
  return (
    <dl className="grid gap-3">
      <Fact label={words.source}>
        {from} · {verified ? consent.verified : consent.unverified}
      </Fact>
      <Fact label={words.since}>
        <When at={since} />
      </Fact>
      <Fact label={words.lastActs}>
        {lastActs.length === 0 ? words.noActs : <Acts acts={lastActs} words={words} />}
      </Fact>
      <Fact label={words.passedTo}>
        {passedTo.length === 0 ? words.passedNone : <PassedTo passed={passedTo} words={words} />}
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-muted text-small">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function Acts({ acts, words }: { acts: Agent['lastActs']; words: Words }) {
  return (
    <ul className="grid gap-2">
      {acts.map(({ at, decisionId, scopes }) => (
        <li key={`${at.getTime()} ${decisionId}`} className="grid gap-0.5">
          <span>
            <When at={at} />: <span className="code">{scopes.join(' ')}</span>
          </span>
          {decisionId && (
            <span className="text-muted text-small">
              {words.decision} <span className="code">{decisionId}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function PassedTo({ passed, words }: { passed: Agent['passedTo']; words: Words }) {
  return (
    <ul className="grid gap-1">
      {passed.map(({ id, name, at, scopes }) => (
        <li key={id}>
          {name ?? words.deletedApp} · <span className="code">{scopes.join(' ')}</span> ·{' '}
          <When at={at} />
        </li>
      ))}
    </ul>
  )
}
