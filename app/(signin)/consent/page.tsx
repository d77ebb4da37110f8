import type { Metadata } from 'next'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { fill } from '@/lib/i18n/fill'
import { type OpenConsent, openConsent } from '@/lib/interaction'
import { currentLocale, currentMessages } from '@/lib/locale'
import { Expired } from '../expired'
import { type Choice, ConsentForm } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).consent.pageTitle }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ConsentPage({ searchParams }: Props) {
  const { interaction: id } = await searchParams
  const open = typeof id === 'string' ? await openConsent(id) : null
  return <PageFrame plain>{open ? <Question {...open} /> : <Expired />}</PageFrame>
}

async function Question({ interaction, session, view }: OpenConsent) {
  const { consent } = await currentMessages()
  const locale = await currentLocale()
  const app = view.applicationName
  const who = session.user.email ?? session.user.name ?? ''
  const choices: Choice[] = view.items.map(({ scope, apiName, sentences, required, ticked }) => ({
    scope,
    api: apiName,
    sentence: sentences[locale] ?? sentences.en ?? scope,
    required,
    ticked,
  }))
  return (
    <div className="grid max-w-[30rem] gap-8">
      <Heading
        title={fill(consent.title, { app })}
        text={fill(consent.intro, { app, who, host: view.redirectHost })}
      />
      <ConsentForm
        interaction={interaction.id}
        signIn={view.signIn}
        choices={choices}
        words={consent}
      />
    </div>
  )
}
