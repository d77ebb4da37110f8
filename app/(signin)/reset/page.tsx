import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { passwordOwner } from '@/lib/accounts/passwords'
import { openReset } from '@/lib/accounts/reset-password'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { ResetForm } from './form'

export const generateMetadata = pageTitle(({ mail }) => mail.reset.title)

export default async function ResetPage({ searchParams }: PageProps) {
  const query = await searchParams
  const token = typeof query.token === 'string' ? query.token : ''
  const bearer = await openReset(await op(), token)
  const returnTo = returnToOf(query)
  return (
    <PageFrame plain={bearer !== null}>
      {bearer ? (
        <NewPassword token={token} {...bearer} returnTo={returnTo} />
      ) : (
        <ClosedLink returnTo={returnTo} />
      )}
    </PageFrame>
  )
}

type Bearer = { token: string; userId: string; email: string; returnTo: string }

async function NewPassword({ token, email, userId, returnTo }: Bearer) {
  const { mail, password, common } = await currentMessages()
  const { shortest } = await passwordOwner(await op(), userId)
  const form = { token, email, returnTo, words: mail.reset, password, shortest, common }
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={mail.reset.title} text={fill(mail.reset.intro, { email })} />
      <ResetForm {...form} />
    </div>
  )
}

async function ClosedLink({ returnTo }: { returnTo: string }) {
  const { mail } = await currentMessages()
  return (
    <EmptyState title={mail.reset.closedTitle} text={mail.reset.closed}>
      <div className="flex flex-wrap gap-3">
        <LinkButton href={returningTo('/forgot', returnTo)}>{mail.reset.newLink}</LinkButton>
        <LinkButton href={returningTo('/login', returnTo)} tone="quiet">
          {mail.backToSignIn}
        </LinkButton>
      </div>
    </EmptyState>
  )
}
