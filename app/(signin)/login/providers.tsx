import { ProviderChoice, ProviderProblem } from '@/app/_ui/provider-choice'
import { currentMessages } from '@/lib/locale'
import { op } from '@/lib/op'
import { listProviders } from '@/lib/upstream/providers'
import { signInThrough } from './provider-actions'

/** Other ways to sign in, under the form; nothing where the operator offers none. */
export async function Providers({ returnTo }: { returnTo: string }) {
  const providers = listProviders(await op())
  if (providers.length === 0) return null
  const { upstream } = await currentMessages()
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
        problemTitle={upstream.problem}
      />
    </section>
  )
}

type Query = Record<string, string | string[] | undefined>

/** Above the form: why somebody who came back from a provider is not signed in. */
export async function SignInProblem({ query }: { query: Query }) {
  const { upstream } = await currentMessages()
  const providers = listProviders(await op())
  return <ProviderProblem query={query} providers={providers} title={upstream.problem} />
}
