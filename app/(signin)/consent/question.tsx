import type { ReactNode } from 'react'
import { Badge } from '@/app/_ui/badge'
import { BrandStyle } from '@/app/_ui/brand-style'
import { Heading } from '@/app/_ui/heading'
import { currentMessages, currentTextPicker } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import type { ConsentView } from '@/lib/oidc/consent'
import { AppMark } from './app-mark'
import { AppWords } from './app-words'

type ConsentDetails = Pick<
  ConsentView,
  | 'applicationName'
  | 'publisher'
  | 'publisherVerified'
  | 'firstParty'
  | 'registration'
  | 'logoUri'
  | 'policyUri'
  | 'tosUri'
  | 'redirectHost'
  | 'documentHost'
  | 'remembered'
  | 'unconfirmed'
  | 'branding'
>

type Props = {
  about: ConsentDetails
  who: string
  /** The way to another account. */
  notYou: ReactNode
  /** On a page that has a title of its own. */
  within?: boolean
  /** What is asked. */
  children: ReactNode
}

/** May this application? Who asks, who is asked, what it is about; a preview shows the very same. */
export async function ConsentQuestion({ about, who, notYou, within = false, children }: Props) {
  const { consent, common } = await currentMessages()
  const inWords = await currentTextPicker()
  const { applicationName: app, logoUri, branding } = about
  return (
    <div className="grid max-w-[30rem] gap-8">
      <div className="grid gap-5">
        <AppMark name={app} logoUri={logoUri} logos={branding.logos} />
        <Heading title={fill(consent.title, { app })} within={within} />
        <Parties about={about} who={who} notYou={notYou} />
      </div>
      <AppWords from={fill(common.messageFrom, { app })} text={inWords(branding.consentText)} />
      {children}
      <Small about={about} />
    </div>
  )
}

/** The application needs what this user lacks: what they can do about it. */
export async function KeptOut({ about, who, notYou, children }: Omit<Props, 'within'>) {
  const { consent } = await currentMessages()
  const { applicationName: app, logoUri, branding } = about
  return (
    <div className="grid max-w-[30rem] gap-8">
      <BrandStyle of={branding} />
      <div className="grid gap-5">
        <AppMark name={app} logoUri={logoUri} logos={branding.logos} />
        <Heading title={fill(consent.keptOutTitle, { app })} text={consent.keptOut} />
        <Parties about={about} who={who} notYou={notYou} />
      </div>
      {children}
    </div>
  )
}

/** Who asks, who is asked, and where it leads. */
async function Parties({ about, who, notYou }: Pick<Props, 'about' | 'who' | 'notYou'>) {
  const { consent } = await currentMessages()
  const { publisher, redirectHost } = about
  const { isGood, badge, text } = standingOf(about, consent)
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-5 gap-y-1.5">
      <dt className="text-muted">{consent.publisher}</dt>
      <dd className="grid gap-0.5 font-medium [overflow-wrap:anywhere]">
        <span className="flex flex-wrap items-center gap-x-3">
          {publisher ?? consent.publisherUnknown}
          <Badge tone={isGood ? 'accent' : 'quiet'}>{badge}</Badge>
        </span>
        <span className="font-normal text-muted text-small">{text}</span>
      </dd>
      <dt className="text-muted">{consent.goingTo}</dt>
      <dd className="font-medium [overflow-wrap:anywhere]">{redirectHost ?? consent.device}</dd>
      <dt className="text-muted">{consent.signedInAs}</dt>
      <dd className="flex flex-wrap gap-x-3 font-medium [overflow-wrap:anywhere]">
        {who}
        {notYou}
      </dd>
    </dl>
  )
}

type Standing = Pick<
  ConsentDetails,
  'firstParty' | 'publisherVerified' | 'registration' | 'documentHost'
>

/** What is known here about who is behind the application. */
function standingOf(
  { firstParty, publisherVerified, registration, documentHost }: Standing,
  words: Messages['consent'],
) {
  if (firstParty) return { isGood: true, badge: words.belongs, text: words.belongsText }
  if (publisherVerified) return { isGood: true, badge: words.verified, text: words.verifiedText }
  const text =
    registration === 'admin'
      ? words.unverifiedText
      : fill(words.selfRegistered[registration], { host: documentHost ?? '' })
  return { isGood: false, badge: words.unverified, text }
}

/** What becomes of the answer, and what the publisher promises. */
async function Small({ about }: { about: ConsentDetails }) {
  const { consent } = await currentMessages()
  const { policyUri, tosUri } = about
  return (
    <div className="grid gap-2 text-small">
      {about.unconfirmed && <p>{consent.unconfirmed}</p>}
      <p className="text-muted">{consent[frequencyOf(about)]}</p>
      {(policyUri !== null || tosUri !== null) && (
        <p className="flex flex-wrap gap-x-5">
          {policyUri !== null && <Away href={policyUri}>{consent.policy}</Away>}
          {tosUri !== null && <Away href={tosUri}>{consent.terms}</Away>}
        </p>
      )}
    </div>
  )
}

function frequencyOf({ remembered, redirectHost, unconfirmed }: ConsentDetails) {
  if (remembered) return 'remembered'
  if (redirectHost === null) return 'askedForDevice'
  return unconfirmed ? 'askedForChanges' : 'askedEveryTime'
}

/** Read beside the question, which stays where it is. */
function Away({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="text-link">
      {children}
    </a>
  )
}
