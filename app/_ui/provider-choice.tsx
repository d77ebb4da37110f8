import { currentMessages } from '@/lib/browser/locale'
import type { SearchParams } from '@/lib/browser/page-props'
import type { UpstreamStart } from '@/lib/browser/upstream-start'
import { fill } from '@/lib/i18n/fill'
import type { Text } from '@/lib/i18n/text'
import type { UpstreamProvider } from '@/lib/settings/providers'
import { ErrorSummary } from './error-summary'
import { ProviderButtons } from './provider-buttons'
import { ProviderMark } from './provider-mark'

type Props = {
  action: (before: UpstreamStart, form: FormData) => Promise<UpstreamStart>
  providers: readonly UpstreamProvider[]
  returnTo: string
  label: Text<'provider'>
  problemTitle: string
  /** The one that they came through last time, and what to call that. */
  lastUsed?: { id: string | null; label: string }
}

/** Buttons for the providers one may choose from; nothing of them but id and name leaves the server. */
export async function ProviderChoice(props: Props) {
  const { action, providers, returnTo, label, problemTitle, lastUsed } = props
  const { upstream } = await currentMessages()
  const { unavailable, cannot_say } = upstream.problems
  const named = [...providers, { id: '', name: upstream.someProvider }]
  const texts = (words: Text<'provider'>) =>
    Object.fromEntries(named.map(({ id, name }) => [id, fill(words, { provider: name })]))
  return (
    <ProviderButtons
      action={action}
      returnTo={returnTo}
      problems={{
        title: problemTitle,
        texts: { unavailable: texts(unavailable), cannot_say: texts(cannot_say) },
      }}
      choices={providers.map(({ id, name, kind }) => ({
        id,
        label: fill(label, { provider: name }),
        busyLabel: fill(upstream.leaving, { provider: name }),
        mark: <ProviderMark kind={kind} name={name} />,
        ...(lastUsed?.id === id && { badge: lastUsed.label }),
      }))}
    />
  )
}

type ProblemProps = {
  query: SearchParams
  providers: readonly UpstreamProvider[]
  title: string
}

/** What went wrong on the way back from a provider; the address names it, the words are ours. */
export async function ProviderProblem({ query, providers, title }: ProblemProps) {
  const { upstream } = await currentMessages()
  const texts: Record<string, Text<'provider'>> = upstream.problems
  const { problem } = query
  if (typeof problem !== 'string' || !Object.hasOwn(texts, problem)) return null
  const words = texts[problem]
  if (!words) return null
  const provider = providers.find(({ id }) => id === query.provider)?.name
  const text = fill(words, { provider: provider ?? upstream.someProvider })
  return <ErrorSummary title={title} problems={[{ text }]} />
}
