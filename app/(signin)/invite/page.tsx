import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { openInvitation } from '@/lib/accounts/invitation'
import { shortestAlone } from '@/lib/accounts/passwords'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { InviteForm } from './form'

export const generateMetadata = pageTitle(({ mail }) => mail.invite.title)

export default async function InvitePage({ searchParams }: PageProps) {
  const query = await searchParams
  const token = typeof query.token === 'string' ? query.token : ''
  const bearer = await openInvitation(await op(), token)
  return (
    <PageFrame plain={bearer !== null}>
      {bearer ? <Welcome token={token} email={bearer.email} /> : <ClosedLink />}
    </PageFrame>
  )
}

async function Welcome({ token, email }: { token: string; email: string }) {
  const { mail, password, common } = await currentMessages()
  const words = mail.invite
  const shortest = await shortestAlone(await op())
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={words.title} text={fill(words.intro, { email })} />
      <InviteForm
        token={token}
        email={email}
        words={words}
        password={password}
        common={common}
        shortest={shortest}
      />
    </div>
  )
}

async function ClosedLink() {
  const { mail } = await currentMessages()
  return (
    <EmptyState title={mail.invite.closedTitle} text={mail.invite.closed}>
      <div>
        <LinkButton href="/login" tone="quiet">
          {mail.backToSignIn}
        </LinkButton>
      </div>
    </EmptyState>
  )
}
