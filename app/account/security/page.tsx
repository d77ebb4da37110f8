import { LinkButton } from '@/app/_ui/link-button'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Removal } from '@/app/_ui/removal'
import { Section } from '@/app/_ui/section'
import { type Authenticator, listAuthenticators } from '@/lib/accounts/authenticators'
import { waysToConfirm } from '@/lib/accounts/confirm'
import { RECOVERY_CODES, recoveryCodesLeft } from '@/lib/accounts/recovery-codes'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { requireUser } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { timeAgo } from '@/lib/i18n/time-ago'
import { op } from '@/lib/op'
import { AccountFrame } from '../frame'
import { removeAuthenticatorApp } from './actions'
import { Identities } from './identities/section'
import { Passkeys } from './passkeys'

export const generateMetadata = pageTitle(({ account }) => account.security.title)

export default async function SecurityPage({ searchParams }: PageProps) {
  const session = await requireUser()
  const { done, problem } = await searchParams
  const { security } = (await currentMessages()).account
  const portal = await op()
  const totps = await listAuthenticators(portal, session)
  const codes = await recoveryCodesLeft(portal, session)
  const ways = await waysToConfirm(portal, session)
  return (
    <AccountFrame page="security" title={security.title} intro={security.intro} done={done}>
      <Password exists={ways.password} canSet={session.user.email !== null} />
      <Passkeys session={session} />
      <Section title={security.apps} text={security.appsText}>
        <Authenticators totps={totps} />
        <div>
          <LinkButton href="/account/security/authenticator" tone="quiet">
            {security.add}
          </LinkButton>
        </div>
      </Section>
      <RecoveryCodes left={codes} possible={totps.length > 0} />
      <Identities session={session} problem={problem} />
    </AccountFrame>
  )
}

async function Password({ exists, canSet }: { exists: boolean; canSet: boolean }) {
  const { security } = (await currentMessages()).account
  const [href, label] = exists
    ? ['/account/security/password', security.changePassword]
    : ['/forgot', security.setPassword]
  return (
    <Section
      title={security.password}
      text={exists ? security.passwordText : security.passwordNone}
    >
      {(exists || canSet) && (
        <div>
          <LinkButton href={href} tone="quiet">
            {label}
          </LinkButton>
        </div>
      )}
    </Section>
  )
}

async function Authenticators({ totps }: { totps: Authenticator[] }) {
  const { security } = (await currentMessages()).account
  const locale = await currentLocale()
  if (totps.length === 0) return <p className="font-medium">{security.none}</p>
  const when = (at: Date) => timeAgo(at, new Date(), locale)
  return (
    <ul className="grid divide-y divide-line border-line border-y">
      {totps.map(({ id, name, createdAt, lastUsedAt }) => (
        <li key={id} className="grid gap-1 py-3">
          <span className="font-medium [overflow-wrap:anywhere]">{name || security.unnamed}</span>
          <span className="text-muted text-small">
            {fill(security.added, { when: when(createdAt) })}
            {' · '}
            {lastUsedAt ? fill(security.used, { when: when(lastUsedAt) }) : security.neverUsed}
          </span>
          <Removal
            summary={security.remove}
            label={fill(security.removeNamed, { name: name || security.unnamed })}
            text={totps.length === 1 ? security.removeLast : security.removeText}
          >
            <form action={removeAuthenticatorApp}>
              <input type="hidden" name="id" value={id} />
              <QuietSubmit label={security.removeConfirm} busyLabel={security.removing} />
            </form>
          </Removal>
        </li>
      ))}
    </ul>
  )
}

async function RecoveryCodes({ left, possible }: { left: number; possible: boolean }) {
  const { security } = (await currentMessages()).account
  if (!possible) return <Section title={security.codes} text={security.codesFirst} />
  const counts = { count: String(left), total: String(RECOVERY_CODES) }
  return (
    <Section title={security.codes} text={security.codesText}>
      <p className="font-medium">
        {left > 0 ? fill(security.codesLeft, counts) : security.codesNone}
      </p>
      <div>
        <LinkButton href="/account/security/recovery-codes" tone="quiet">
          {left > 0 ? security.remakeCodes : security.makeCodes}
        </LinkButton>
      </div>
    </Section>
  )
}
