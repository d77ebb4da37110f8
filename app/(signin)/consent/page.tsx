import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { fill } from '@/lib/i18n/fill'
import { type OpenConsent, openConsent } from '@/lib/interaction'
import { currentLocale, currentMessages } from '@/lib/locale'
import { paths } from '@/lib/oidc/paths'
import { Expired } from '../expired'
import { AppMark } from './app-mark'
import { ConsentForm } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).consent.pageTitle }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ConsentPage({ searchParams }: Props) {
  const { interaction: id } = await searchParams
  const open = typeof id === 'string' ? await openConsent(id) : null
  if (open === 'nobody') redirect(`${paths.authorize}/${id}`)
  return <PageFrame plain>{open ? <Question {...open} /> : <Expired />}</PageFrame>
}

async function Question({ interaction, session, view }: OpenConsent) {
  const { consent } = await currentMessages()
  const locale = await currentLocale()
  const app = view.applicationName
  const sentenceOf = (scope: string, sentences: Record<string, string>) =>
    sentences[locale] ?? sentences.en ?? scope
  return (
    <div className="grid max-w-[30rem] gap-8">
      <div className="grid gap-5">
        <AppMark name={app} logoUri={view.logoUri} />
        <Heading title={fill(consent.title, { app })} />
        <About open={{ interaction, session, view }} />
      </div>
      <ConsentForm
        interaction={interaction.id}
        signIn={view.signIn}
        choices={view.items.map(({ apiName: api, sentences, ...item }) => ({
          ...item,
          api,
          sentence: sentenceOf(item.scope, sentences),
        }))}
        provable={view.provable.map(({ scope, sentences, atHand }) => ({
          scope,
          atHand,
          sentence: sentenceOf(scope, sentences),
        }))}
        words={consent}
      />
      <Links view={view} />
    </div>
  )
}

/** Who asks, who is asked, and where it leads. */
async function About({ open: { interaction, session, view } }: { open: OpenConsent }) {
  const { consent } = await currentMessages()
  const who = session.user.email ?? session.user.name ?? ''
  const { publisher, redirectHost } = view
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-5 gap-y-1.5">
      <dt className="text-muted">{consent.publisher}</dt>
      <dd className="font-medium [overflow-wrap:anywhere]">
        {publisher ?? consent.publisherUnknown}
      </dd>
      <dt className="text-muted">{consent.goingTo}</dt>
      <dd className="font-medium [overflow-wrap:anywhere]">{redirectHost}</dd>
      <dt className="text-muted">{consent.signedInAs}</dt>
      <dd className="flex flex-wrap gap-x-3 font-medium [overflow-wrap:anywhere]">
        {who}
        <a href={`/accounts?interaction=${interaction.id}`} className="text-link">
          {consent.notYou}
        </a>
      </dd>
    </dl>
  )
}

async function Links({ view: { policyUri, tosUri } }: { view: OpenConsent['view'] }) {
  const { consent } = await currentMessages()
  if (policyUri === null && tosUri === null) return null
  return (
    <p className="flex flex-wrap gap-x-5 text-small">
      {policyUri !== null && <Away href={policyUri}>{consent.policy}</Away>}
      {tosUri !== null && <Away href={tosUri}>{consent.terms}</Away>}
    </p>
  )
}

/** Read beside the question, which stays where it is. */
function Away({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="text-link">
      {children}
    </a>
  )
}
