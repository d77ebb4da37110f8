import { ErrorSummary } from '@/app/_ui/error-summary'
import { LinkButton } from '@/app/_ui/link-button'
import { ProviderMark } from '@/app/_ui/provider-mark'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Removal } from '@/app/_ui/removal'
import { Section } from '@/app/_ui/section'
import { type LinkedIdentity, listIdentities } from '@/lib/accounts/identities'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Session } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { timeAgo } from '@/lib/i18n/time-ago'
import { op } from '@/lib/op'
import { listProviders } from '@/lib/settings/providers'
import { disconnect } from './actions'

/** Nothing where there is no provider and nothing is left of one. */
export async function Identities({ session, problem }: { session: Session; problem: unknown }) {
  const portal = await op()
  const identities = await listIdentities(portal, session)
  const canConnect = (await listProviders(portal)).length > 0
  if (identities.length === 0 && !canConnect) return null
  const { upstream } = await currentMessages()
  const { security } = upstream
  return (
    <Section title={security.title} text={security.text}>
      {problem === 'last_way_in' && (
        <ErrorSummary title={upstream.notDone} problems={[{ text: security.lastWay }]} />
      )}
      {identities.length === 0 ? (
        <p className="font-medium">{security.none}</p>
      ) : (
        <ul className="grid divide-y divide-line border-line border-y">
          {identities.map((identity) => (
            <Linked key={identity.id} {...identity} />
          ))}
        </ul>
      )}
      {canConnect && (
        <div>
          <LinkButton href="/account/security/identities" tone="quiet">
            {security.connect}
          </LinkButton>
        </div>
      )}
    </Section>
  )
}

async function Linked(identity: LinkedIdentity) {
  const { id, issuer, provider, email, username } = identity
  const { security } = (await currentMessages()).upstream
  const name = provider?.name ?? new URL(issuer).host
  return (
    <li className="grid gap-1 py-3">
      <span className="flex items-center gap-2.5 font-medium [overflow-wrap:anywhere]">
        <ProviderMark kind={provider?.kind ?? 'oidc'} name={name} />
        {name}
      </span>
      {(email ?? username) && <span className="[overflow-wrap:anywhere]">{email ?? username}</span>}
      <Times {...identity} />
      {!provider && <span className="text-muted text-small">{security.notUsable}</span>}
      <Removal
        summary={security.disconnect}
        label={fill(security.disconnectNamed, { name })}
        text={fill(security.disconnectText, { name })}
      >
        <form action={disconnect}>
          <input type="hidden" name="id" value={id} />
          <QuietSubmit label={security.disconnectConfirm} busyLabel={security.disconnecting} />
        </form>
      </Removal>
    </li>
  )
}

async function Times({ createdAt, lastUsedAt }: LinkedIdentity) {
  const { security } = (await currentMessages()).upstream
  const locale = await currentLocale()
  const when = (at: Date) => timeAgo(at, new Date(), locale)
  return (
    <span className="text-muted text-small">
      {fill(security.connected, { when: when(createdAt) })}
      {' · '}
      {lastUsedAt ? fill(security.used, { when: when(lastUsedAt) }) : security.neverUsed}
    </span>
  )
}
