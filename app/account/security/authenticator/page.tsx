import { SubmitButton } from '@/app/_ui/submit-button'
import { openEnrolment } from '@/lib/accounts/authenticators'
import type { Enrolment } from '@/lib/accounts/totp'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returnToOf } from '@/lib/browser/return-to'
import { requireConfirmedByFactor } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { AccountFrame } from '../../frame'
import { addAuthenticator } from '../actions'
import { BackToSecurity } from '../back'
import { AuthenticatorForm } from './form'
import { QrCode } from './qr-code'

export const generateMetadata = pageTitle(({ account }) => account.authenticator.title)

export default async function AuthenticatorPage({ searchParams }: PageProps) {
  const session = await requireConfirmedByFactor()
  const query = await searchParams
  const { id } = query
  const returnTo = returnToOf(query)
  const enrolment =
    typeof id === 'string' && id !== '' ? await openEnrolment(await op(), session, id) : null
  if (enrolment) return <Enrol {...enrolment} returnTo={returnTo} />
  const state = id === undefined ? 'new' : id === '' ? 'full' : 'expired'
  return <Start state={state} returnTo={returnTo} />
}

type StartProps = { state: 'new' | 'full' | 'expired'; returnTo: string }

async function Start({ state, returnTo }: StartProps) {
  const { authenticator, security } = (await currentMessages()).account
  const intros = {
    new: authenticator.start,
    full: security.tooMany,
    expired: authenticator.expired,
  }
  return (
    <AccountFrame
      page="security"
      title={state === 'expired' ? authenticator.expiredTitle : authenticator.title}
      intro={intros[state]}
    >
      {state !== 'full' && (
        <form action={addAuthenticator}>
          <input type="hidden" name="returnTo" value={returnTo} />
          <SubmitButton label={authenticator.next} busyLabel={security.adding} />
        </form>
      )}
      <BackToSecurity />
    </AccountFrame>
  )
}

async function Enrol({ id, secret, uri, returnTo }: Enrolment & { returnTo: string }) {
  const { account, common } = await currentMessages()
  const { authenticator } = account
  return (
    <AccountFrame page="security" title={authenticator.title} intro={authenticator.intro}>
      <div className="grid items-start gap-8 md:grid-cols-[auto_minmax(0,1fr)]">
        <div className="grid max-w-60 gap-4">
          <QrCode text={uri} label={authenticator.qr} />
          <div className="grid gap-1 text-small">
            <h2 className="font-semibold">{authenticator.cannotScan}</h2>
            <p>{authenticator.secret}</p>
            <p className="code select-all font-medium text-body" data-secret={secret}>
              {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
            </p>
            <p>
              <a href={uri} className="text-link">
                {authenticator.open}
              </a>
            </p>
          </div>
        </div>
        <AuthenticatorForm
          id={id}
          returnTo={returnTo}
          words={authenticator}
          slowDown={account.slowDown}
          problemTitle={common.problem}
        />
      </div>
      <BackToSecurity />
    </AccountFrame>
  )
}
