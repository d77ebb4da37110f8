import { ProviderChoice, ProviderProblem } from '@/app/_ui/provider-choice'
import { QuietLink } from '@/app/_ui/quiet-link'
import { lastMethod } from '@/lib/browser/browser-memory'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { askUnderWay } from '@/lib/browser/open-interaction'
import type { SearchParams } from '@/lib/browser/page-props'
import { returningTo } from '@/lib/browser/return-to'
import { thisBrowser } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { listProviders, providerFor, type UpstreamProvider } from '@/lib/settings/providers'
import { demandOf, saysWhen } from '@/lib/upstream/freshness'
import { signInThrough } from './provider-actions'

/** Other ways to sign in, under the form; nothing where the operator offers none. */
export async function Providers({ returnTo }: { returnTo: string }) {
  const portal = await op()
  const all = await listProviders(portal)
  if (all.length === 0) return null
  const { offered, silent } = await sorted(all, returnTo)
  const { upstream, login } = await currentMessages()
  return (
    <section aria-label={upstream.ways} className="grid gap-6">
      {offered.length > 0 && (
        <ProviderChoice
          action={signInThrough}
          providers={offered}
          returnTo={returnTo}
          label={upstream.continueWith}
          lastUsed={{ id: lastMethod(portal, await thisBrowser()), label: login.lastUsed }}
          problemTitle={upstream.problem}
        />
      )}
      <Silent providers={silent} returnTo={returnTo} />
    </section>
  )
}

/** Whose address belongs to an organisation signs in there; the password stays for those who have one. */
export async function RoutedProvider(props: { returnTo: string; identifier: string }) {
  const provider = await providerFor(await op(), props.identifier)
  if (!provider) return null
  const { upstream } = await currentMessages()
  const { offered, silent } = await sorted([provider], props.returnTo)
  if (silent.length > 0) return <Silent providers={silent} returnTo={props.returnTo} />
  return (
    <ProviderChoice
      action={signInThrough}
      providers={offered}
      returnTo={props.returnTo}
      label={upstream.continueWith}
      problemTitle={upstream.problem}
    />
  )
}

/** Where an application asks for a fresh proof, those that cannot say when it was are no way in. */
async function sorted(providers: readonly UpstreamProvider[], returnTo: string) {
  const ask = await askUnderWay(returnTo)
  if (!ask || !demandOf(ask)) return { offered: providers, silent: [] }
  return {
    offered: providers.filter(saysWhen),
    silent: providers.filter((provider) => !saysWhen(provider)),
  }
}

type SilentProps = { providers: readonly UpstreamProvider[]; returnTo: string }

async function Silent({ providers, returnTo }: SilentProps) {
  if (providers.length === 0) return null
  const { upstream } = await currentMessages()
  const list = new Intl.ListFormat(await currentLocale(), { type: 'conjunction' })
  const names = list.format(providers.map(({ name }) => name))
  return (
    <div>
      <p className="text-muted">{fill(upstream.silent, { providers: names })}</p>
      <QuietLink href={returningTo('/forgot', returnTo)}>{upstream.choosePassword}</QuietLink>
    </div>
  )
}

/** Above the form: why somebody who came back from a provider is not signed in. */
export async function SignInProblem({ query }: { query: SearchParams }) {
  const { upstream } = await currentMessages()
  const providers = await listProviders(await op())
  return <ProviderProblem query={query} providers={providers} title={upstream.problem} />
}
