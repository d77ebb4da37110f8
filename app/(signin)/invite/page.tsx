import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { type Invited, openInvitation } from '@/lib/accounts/invitation'
import { creationOptions } from '@/lib/accounts/passkeys'
import { shortestAlone } from '@/lib/accounts/passwords'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { inviterOf } from '@/lib/delivery/mail/write'
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
      {bearer ? <Welcome token={token} bearer={bearer} /> : <ClosedLink />}
    </PageFrame>
  )
}

async function Welcome({ token, bearer }: { token: string; bearer: Invited }) {
  const { mail, password, passkeys, common } = await currentMessages()
  const portal = await op()
  const words = mail.invite
  const { userId, email, owesFactor } = bearer
  const wanted = { id: userId, email, name: null }
  const { branding } = await portal.settings.current()
  const inviter = await portal.read((db) => inviterOf(db, bearer))
  const by = inviter && fill(words.invitedBy, { name: inviter, portal: branding.name })
  const intro = fill(words.intro, { email })
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={words.title} text={by ? `${by} ${intro}` : intro} />
      <InviteForm
        token={token}
        email={email}
        options={owesFactor ? null : await creationOptions(portal, wanted)}
        failures={passkeys.problems}
        words={words}
        password={password}
        common={common}
        shortest={await shortestAlone(portal)}
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
