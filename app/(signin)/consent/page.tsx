import { redirect } from 'next/navigation'
import { BrandStyle } from '@/app/_ui/brand-style'
import { PageFrame } from '@/app/_ui/page-frame'
import type { OpenConsent } from '@/lib/accounts/consent'
import { formAction } from '@/lib/browser/form-action'
import { currentMessages, currentTextPicker, pageTitle } from '@/lib/browser/locale'
import { openConsent } from '@/lib/browser/open-interaction'
import type { PageProps } from '@/lib/browser/page-props'
import { paths } from '@/lib/oidc/paths'
import { Expired } from '../expired'
import { ConsentForm } from './form'
import { KeptOutForm } from './kept-out'
import { ConsentQuestion, KeptOut } from './question'

export const generateMetadata = pageTitle(({ consent }) => consent.pageTitle)

export default async function ConsentPage({ searchParams }: PageProps) {
  const { interaction: id } = await searchParams
  const open = typeof id === 'string' ? await openConsent(id) : null
  if (open === 'signed_out') redirect(`${paths.authorize}/${id}`)
  return (
    <PageFrame plain picture={open?.view.branding.picture}>
      {open ? <Question {...open} /> : <Expired />}
    </PageFrame>
  )
}

async function Question({ interaction, session, view }: OpenConsent) {
  const { consent } = await currentMessages()
  const inWords = await currentTextPicker()
  const notYou = (
    <a href={`/accounts?interaction=${interaction.id}`} className="text-link">
      {consent.notYou}
    </a>
  )
  const action = formAction('/consent')
  const who = session.user.email ?? session.user.name ?? ''
  const requestable = view.requestable.map(({ scope, sentences, binding }) => ({
    scope,
    binding,
    sentence: inWords(sentences) ?? scope,
  }))
  if (view.keptOut)
    return (
      <KeptOut about={view} who={who} notYou={notYou}>
        <KeptOutForm
          action={action}
          interaction={interaction.id}
          requestable={requestable}
          words={consent}
        />
      </KeptOut>
    )
  return (
    <>
      <BrandStyle of={view.branding} />
      <ConsentQuestion about={view} who={who} notYou={notYou}>
        <ConsentForm
          action={action}
          interaction={interaction.id}
          signIn={view.signIn}
          choices={view.items.map(({ apiName: api, sentences, ...item }) => ({
            ...item,
            api,
            sentence: inWords(sentences) ?? item.scope,
          }))}
          provable={view.provable.map(({ scope, sentences, atHand }) => ({
            scope,
            atHand,
            sentence: inWords(sentences) ?? scope,
          }))}
          requestable={requestable}
          words={consent}
        />
      </ConsentQuestion>
    </>
  )
}
