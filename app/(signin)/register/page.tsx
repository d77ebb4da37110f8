import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietLink } from '@/app/_ui/quiet-link'
import { shortestAlone } from '@/lib/accounts/passwords'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { op } from '@/lib/op'
import { RegisterForm } from './form'

export const generateMetadata = pageTitle(({ mail }) => mail.register.title)

export default async function RegisterPage({ searchParams }: PageProps) {
  const returnTo = returnToOf(await searchParams)
  const { settings } = await op()
  const open = (await settings.current()).security.registration === 'open'
  return (
    <PageFrame plain={open}>
      {open ? <NewAccount returnTo={returnTo} /> : <Closed returnTo={returnTo} />}
    </PageFrame>
  )
}

async function NewAccount({ returnTo }: { returnTo: string }) {
  const { mail, setup, password, common } = await currentMessages()
  const { register, slowDown, slowDownNext } = mail
  const words = { ...register, slowDown, slowDownNext }
  const shortest = await shortestAlone(await op())
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={register.title} text={register.intro} />
      <RegisterForm
        returnTo={returnTo}
        words={words}
        setup={setup}
        password={password}
        common={common}
        shortest={shortest}
      />
      <div>
        <QuietLink href={returningTo('/login', returnTo)}>{register.have}</QuietLink>
      </div>
    </div>
  )
}

async function Closed({ returnTo }: { returnTo: string }) {
  const { mail } = await currentMessages()
  return (
    <EmptyState title={mail.register.closedTitle} text={mail.register.closed}>
      <div>
        <LinkButton href={returningTo('/login', returnTo)} tone="quiet">
          {mail.backToSignIn}
        </LinkButton>
      </div>
    </EmptyState>
  )
}
