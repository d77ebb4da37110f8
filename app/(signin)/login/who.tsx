import { Fragment, type ReactNode } from 'react'
import { QuietLink } from '@/app/_ui/quiet-link'
import { requestOptions } from '@/lib/accounts/passkeys'
import { offeredMethods, type SignInMethod } from '@/lib/base/sign-in-methods'
import type { Face } from '@/lib/browser/application-face'
import { lastMethod } from '@/lib/browser/browser-memory'
import { currentMessages, currentSettings } from '@/lib/browser/locale'
import { returningTo } from '@/lib/browser/return-to'
import { otherSessions, thisBrowser } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { possibleMethods } from '@/lib/settings/possible-methods'
import { IdentifierForm } from './identifier-form'
import { PasskeySignIn } from './passkey-sign-in'
import { Providers } from './providers'
import { passkeyWords } from './words'

type Props = { returnTo: string; hint: string; missing: boolean; face: Face | null }

/** First who: a name, or a way to sign in that needs none, in the order that admins chose. */
export async function Who({ returnTo, hint, missing, face }: Props) {
  const portal = await op()
  const { login, mail, common } = await currentMessages()
  const { security } = await currentSettings()
  const elsewhere = await otherSessions()
  const methods = await methodsFor(face)
  const byName = methods.find((method) => method === 'password' || method === 'mail')
  const asksForName = byName !== undefined || (await leadsByAddress(methods))
  const shown = methods.filter(
    (method) => method === byName || method === 'passkey' || method === 'provider',
  )
  const name = (
    <IdentifierForm
      returnTo={returnTo}
      hint={hint}
      missing={missing}
      words={login}
      problemTitle={common.problem}
    />
  )
  const ways: Readonly<Record<SignInMethod, ReactNode>> = {
    password: name,
    mail: name,
    passkey: (
      <PasskeySignIn
        returnTo={returnTo}
        options={await requestOptions(portal, { for: 'login' })}
        lastUsed={lastMethod(portal, await thisBrowser()) === 'passkey'}
        autofill={asksForName}
        words={passkeyWords(login)}
      />
    ),
    provider: <Providers returnTo={returnTo} />,
  }
  return (
    <>
      {asksForName && byName === undefined && name}
      {shown.map((method, at) => (
        <Fragment key={method}>
          {isApart(shown, at) && <Or />}
          {ways[method]}
        </Fragment>
      ))}
      <div className="flex flex-wrap justify-between gap-x-6">
        {elsewhere.length > 0 && (
          <QuietLink href={returningTo('/accounts', returnTo)}>{login.otherAccounts}</QuietLink>
        )}
        {security.registration === 'open' && (
          <QuietLink href={returningTo('/register', returnTo)}>{mail.register.link}</QuietLink>
        )}
      </div>
    </>
  )
}

/** What this page offers: as the application wants it, else as the portal does. */
export async function methodsFor(face: Face | null): Promise<SignInMethod[]> {
  const settings = await currentSettings()
  const choice = face?.branding.methods ?? settings.branding.methods
  return offeredMethods(choice, possibleMethods(settings, (await op()).config))
}

/** Whose address belongs to an organisation is sent to its provider, also without passwords. */
async function leadsByAddress(methods: readonly SignInMethod[]): Promise<boolean> {
  const { providers } = await currentSettings()
  return methods.includes('provider') && providers.some(({ domains }) => domains.length > 0)
}

/** Between the accounts of this portal and those of others. */
function isApart(methods: readonly SignInMethod[], at: number): boolean {
  return at > 0 && (methods[at] === 'provider' || methods[at - 1] === 'provider')
}

async function Or() {
  const { upstream } = await currentMessages()
  return (
    <p className="flex items-center gap-4 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {upstream.or}
    </p>
  )
}
