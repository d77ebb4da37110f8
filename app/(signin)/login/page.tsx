import { redirect } from 'next/navigation'
import { BrandStyle } from '@/app/_ui/brand-style'
import { CodeBlock } from '@/app/_ui/code-block'
import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietLink } from '@/app/_ui/quiet-link'
import { requestOptions } from '@/lib/accounts/passkeys'
import { awaitsOwner } from '@/lib/accounts/set-up'
import { offersMailSignIn } from '@/lib/accounts/sign-in-by-mail'
import { pick } from '@/lib/base/pick'
import { type Face, faceBehind } from '@/lib/browser/application-face'
import { lastMethod } from '@/lib/browser/browser-memory'
import { formAction } from '@/lib/browser/form-action'
import { shortText, withIdentifier } from '@/lib/browser/identifier'
import { currentMessages, currentTextPicker, pageTitle } from '@/lib/browser/locale'
import { type SignedInBefore, signedInBefore } from '@/lib/browser/open-interaction'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { leavingSession, otherSessions, thisBrowser } from '@/lib/browser/session'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { AppMark } from '../consent/app-mark'
import { AppWords } from '../consent/app-words'
import { AskForCode } from './code/ask-form'
import { IdentifierForm } from './identifier-form'
import { PasskeySignIn } from './passkey-sign-in'
import { PasswordForm } from './password-form'
import { type PasswordProblem, passwordProblemIn } from './problem'
import { Providers, RoutedProvider, SignInProblem } from './providers'
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
  const { login } = await currentMessages()
  const face = await faceBehind(returnTo)
  const again = await signedInBefore(returnTo)
  return (
    <PageFrame plain>
      <div className="grid max-w-[26rem] gap-7">
        {face && <AppFace face={face} />}
        <Heading
          title={login.title}
          {...((!step || face) && { text: introOf(login, returnTo, face, again) })}
        />
        {face && !step && <Welcome face={face} />}
        <SignInProblem query={query} />
        {step ? (
          <How returnTo={returnTo} {...step} />
        ) : (
          <Who
            returnTo={returnTo}
            hint={shortText(query.login_hint) ?? again?.email ?? ''}
            missing={identifier === ''}
          />
        )}
      </div>
    </PageFrame>
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

/** The application is recognised here, before the password is typed. */
function AppFace({ face: { name, logoUri, branding } }: { face: Face }) {
  return (
    <>
      <BrandStyle of={branding} />
      <AppMark name={name} logoUri={logoUri} logos={branding.logos} />
    </>
  )
}

async function Welcome({ face: { name, branding } }: { face: Face }) {
  const { common } = await currentMessages()
  const inWords = await currentTextPicker()
  return (
    <AppWords from={fill(common.messageFrom, { app: name })} text={inWords(branding.signInText)} />
  )
}

function introOf(
  login: Messages['login'],
  returnTo: string,
  face: Face | null,
  again: SignedInBefore | null,
): string {
  if (face && again) return fill(login.again[again.why], { app: face.name })
  if (face) return fill(login.introApp, { app: face.name })
  return returnTo === '/' ? login.intro : login.introContinue
}

async function Who(props: { returnTo: string; hint: string; missing: boolean }) {
  const { returnTo, hint, missing } = props
  const portal = await op()
  const { login, mail, common } = await currentMessages()
  const elsewhere = await otherSessions()
  const lastUsed = lastMethod(portal, await thisBrowser())
  return (
    <>
      <IdentifierForm
        returnTo={returnTo}
        hint={hint}
        missing={missing}
        words={login}
        problemTitle={common.problem}
      />
      <PasskeySignIn
        returnTo={returnTo}
        options={await requestOptions(portal, { for: 'login' })}
        lastUsed={lastUsed === 'passkey'}
        autofill
        words={passkeyWords(login)}
      />
      <Providers returnTo={returnTo} />
      <div className="flex flex-wrap justify-between gap-x-6">
        {elsewhere.length > 0 && (
          <QuietLink href={returningTo('/accounts', returnTo)}>{login.otherAccounts}</QuietLink>
        )}
        {(await portal.settings.current()).security.registration === 'open' && (
          <QuietLink href={returningTo('/register', returnTo)}>{mail.register.link}</QuietLink>
        )}
      </div>
    </>
  )
}

type HowProps = { returnTo: string; identifier: string; problem: PasswordProblem | null }

async function How({ returnTo, identifier, problem }: HowProps) {
  const portal = await op()
  const lastUsed = lastMethod(portal, await thisBrowser())
  const { login, mail, common } = await currentMessages()
  return (
    <>
      <RoutedProvider returnTo={returnTo} identifier={identifier} />
      <PasswordForm
        action={formAction('/login')}
        returnTo={returnTo}
        identifier={identifier}
        problem={problem}
        lastUsed={lastUsed === 'password'}
        words={passwordWords(login)}
        toggle={toggleWords(common)}
      />
      <CodeByMail returnTo={returnTo} identifier={identifier} />
      <PasskeySignIn
        returnTo={returnTo}
        options={await requestOptions(portal, { for: 'login' })}
        lastUsed={lastUsed === 'passkey'}
        words={passkeyWords(login)}
      />
      <div>
        <QuietLink href={withIdentifier('/forgot', { identifier, returnTo })}>
          {mail.forgot.link}
        </QuietLink>
      </div>
    </>
  )
}

async function CodeByMail(props: { returnTo: string; identifier: string }) {
  const portal = await op()
  if (!(await offersMailSignIn(portal))) return null
  const { login, signInCode } = await currentMessages()
  const words = {
    ...pick(signInCode, 'ask', 'asking', 'off'),
    ...pick(login, 'slowDown', 'slowDownNext', 'seconds', 'minutes'),
  }
  const lastUsed = lastMethod(portal, await thisBrowser()) === 'mail' ? login.lastUsed : undefined
  return <AskForCode {...props} words={words} lastUsed={lastUsed} />
}
