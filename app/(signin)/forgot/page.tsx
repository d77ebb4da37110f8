import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietLink } from '@/app/_ui/quiet-link'
import { identifierIn, withIdentifier } from '@/lib/browser/identifier'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { mailMode } from '@/lib/delivery/mail/mode'
import { op } from '@/lib/op'
import { ForgotForm } from './form'

export const generateMetadata = pageTitle(({ mail }) => mail.forgot.title)

export default async function ForgotPage({ searchParams }: PageProps) {
  const query = await searchParams
  const returnTo = returnToOf(query)
  const hasMail = mailMode(await op()) !== 'off'
  return (
    <PageFrame plain={hasMail}>
      {hasMail ? (
        <Question returnTo={returnTo} identifier={identifierIn(query)} />
      ) : (
        <NoMail returnTo={returnTo} />
      )}
    </PageFrame>
  )
}

async function Question(props: { returnTo: string; identifier: string }) {
  const { mail, common } = await currentMessages()
  const { slowDown, slowDownNext } = mail
  const words = { ...mail.forgot, slowDown, slowDownNext }
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={mail.forgot.title} text={mail.forgot.intro} />
      <ForgotForm {...props} words={words} common={common} />
      <div>
        <QuietLink href={withIdentifier('/login', props)}>{mail.backToSignIn}</QuietLink>
      </div>
    </div>
  )
}

async function NoMail({ returnTo }: { returnTo: string }) {
  const { mail } = await currentMessages()
  return (
    <EmptyState title={mail.forgot.title} text={mail.off}>
      <div>
        <LinkButton href={returningTo('/login', returnTo)} tone="quiet">
          {mail.backToSignIn}
        </LinkButton>
      </div>
    </EmptyState>
  )
}
