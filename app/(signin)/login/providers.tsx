import { ProviderChoice, ProviderProblem } from '@/app/_ui/provider-choice'
import { lastMethod } from '@/lib/browser-memory'
import { currentMessages } from '@/lib/locale'
import { op } from '@/lib/op'
import { listProviders, providerFor } from '@/lib/upstream/providers'
import { signInThrough } from './provider-actions'

/** Other ways to sign in, under the form; nothing where the operator offers none. */
export async function Providers({ returnTo }: { returnTo: string }) {
  const providers = await listProviders(await op())
  if (providers.length === 0) return null
  const { upstream, login } = await currentMessages()
  return (
    <section aria-label={upstream.ways} className="grid gap-6">
      <p className="flex items-center gap-4 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {upstream.or}
      </p>
      <ProviderChoice
        action={signInThrough}
        providers={providers}
        returnTo={returnTo}
        label={upstream.continueWith}
        lastUsed={{ id: await lastMethod(), label: login.lastUsed }}
        problemTitle={upstream.problem}
      />
    </section>
  )
}

/** Whose address belongs to an organisation signs in there; the password stays for those who have one. */
export async function RoutedProvider(props: { returnTo: string; identifier: string }) {
  const provider = await providerFor(await op(), props.identifier)
  if (!provider) return null
  const { upstream } = await currentMessages()
  return (
    <ProviderChoice
      action={signInThrough}
      providers={[provider]}
      returnTo={props.returnTo}
      label={upstream.continueWith}
      problemTitle={upstream.problem}
    />
  )
}

type Query = Record<string, string | string[] | undefined>

/** Above the form: why somebody who came back from a provider is not signed in. */
export async function SignInProblem({ query }: { query: Query }) {
  const { upstream } = await currentMessages()
  const providers = await listProviders(await op())
  return <ProviderProblem query={query} providers={providers} title={upstream.problem} />
}
