import { redirect } from 'next/navigation'
import { Fragment, type ReactNode } from 'react'
import { CodeBlock } from '@/app/_ui/code-block'
import { EmptyState } from '@/app/_ui/empty-state'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietLink } from '@/app/_ui/quiet-link'
import { requestOptions } from '@/lib/accounts/passkeys'
import { awaitsOwner } from '@/lib/accounts/set-up'
import { pick } from '@/lib/base/pick'
import type { SignInMethod } from '@/lib/base/sign-in-methods'
import { type Face, faceBehind } from '@/lib/browser/application-face'
import { lastMethod } from '@/lib/browser/browser-memory'
import { formAction } from '@/lib/browser/form-action'
import { shortText, withIdentifier } from '@/lib/browser/identifier'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { signedInBefore } from '@/lib/browser/open-interaction'
import type { PageProps } from '@/lib/browser/page-props'
import { returnToOf } from '@/lib/browser/return-to'
import { leavingSession, thisBrowser } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { AskForCode } from './code/ask-form'
import { SignInFrame } from './frame'
import { PasskeySignIn } from './passkey-sign-in'
import { PasswordForm } from './password-form'
import { type PasswordProblem, passwordProblemIn } from './problem'
import { Providers, RoutedProvider, SignInProblem } from './providers'
import { methodsFor, Who } from './who'
import { passkeyWords, passwordWords, toggleWords } from './words'

export const generateMetadata = pageTitle(({ login }) => login.title)

/** First who, then how. The address says which of the two it is, so that "back" means back. */
export default async function LoginPage({ searchParams }: PageProps) {
  if (await isShut()) return <NoOwner />
  if (await leavingSession()) redirect('/account/keep')
  const query = await searchParams
  const returnTo = returnToOf(query)
  const identifier = shortText(query.identifier)?.trim()
  const step = identifier ? { identifier, problem: passwordProblemIn(query) } : null
  const face = await faceBehind(returnTo)
  const again = await signedInBefore(returnTo)
  return (
    <SignInFrame face={face} returnTo={returnTo} again={again} first={!step}>
      <SignInProblem query={query} />
      {step ? (
        <How returnTo={returnTo} face={face} {...step} />
      ) : (
        <Who
          returnTo={returnTo}
          hint={shortText(query.login_hint) ?? again?.email ?? ''}
          missing={identifier === ''}
          face={face}
        />
      )}
    </SignInFrame>
  )
}

/** Without an owner, only providers and registration could let anybody in. */
async function isShut(): Promise<boolean> {
  const portal = await op()
  const { providers, security } = await portal.settings.current()
  if (providers.length > 0 || security.registration === 'open') return false
  return awaitsOwner(portal)
}

/** Nobody can sign in yet: where the set-up link is, and how to get a new one. */
async function NoOwner() {
  const { setup, common } = await currentMessages()
  return (
    <PageFrame>
      <EmptyState title={setup.awaits.title} text={setup.awaits.text}>
        <p className="text-muted">{setup.awaits.again}</p>
        <div className="max-w-[26rem]">
          <CodeBlock code={SET_UP_COMMAND} copy={common.copy} copied={common.copied} />
        </div>
      </EmptyState>
    </PageFrame>
  )
}

const SET_UP_COMMAND = 'node bin/run.mjs db set-up'

type HowProps = {
  returnTo: string
  identifier: string
  problem: PasswordProblem | null
  face: Face | null
}

async function How({ returnTo, identifier, problem, face }: HowProps) {
  const portal = await op()
  const lastUsed = lastMethod(portal, await thisBrowser())
  const { login, mail, common } = await currentMessages()
  const methods = await methodsFor(face)
  const hasPassword = methods.includes('password')
  const ways: Readonly<Record<SignInMethod, ReactNode>> = {
    password: (
      <PasswordForm
        action={formAction('/login')}
        returnTo={returnTo}
        identifier={identifier}
        problem={problem}
        lastUsed={lastUsed === 'password'}
        words={passwordWords(login)}
        toggle={toggleWords(common)}
      />
    ),
    mail: <CodeByMail returnTo={returnTo} identifier={identifier} />,
    passkey: (
      <PasskeySignIn
        returnTo={returnTo}
        options={await requestOptions(portal, { for: 'login' })}
        lastUsed={lastUsed === 'passkey'}
        words={passkeyWords(login)}
      />
    ),
    // Whoever has a password has come past them.
    provider: hasPassword ? null : <Providers returnTo={returnTo} />,
  }
  return (
    <>
      {methods.includes('provider') && (
        <RoutedProvider returnTo={returnTo} identifier={identifier} />
      )}
      {methods.map((method) => (
        <Fragment key={method}>{ways[method]}</Fragment>
      ))}
      {hasPassword && (
        <div>
          <QuietLink href={withIdentifier('/forgot', { identifier, returnTo })}>
            {mail.forgot.link}
          </QuietLink>
        </div>
      )}
    </>
  )
}

async function CodeByMail(props: { returnTo: string; identifier: string }) {
  const portal = await op()
  const { login, signInCode } = await currentMessages()
  const words = {
    ...pick(signInCode, 'ask', 'asking', 'off'),
    ...pick(login, 'slowDown', 'slowDownNext', 'seconds', 'minutes'),
  }
  const lastUsed = lastMethod(portal, await thisBrowser()) === 'mail' ? login.lastUsed : undefined
  return <AskForCode {...props} words={words} lastUsed={lastUsed} />
}
