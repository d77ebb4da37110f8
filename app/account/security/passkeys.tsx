import { Badge } from '@/app/_ui/badge'
import { LinkButton } from '@/app/_ui/link-button'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Removal } from '@/app/_ui/removal'
import { Section } from '@/app/_ui/section'
import { listOwnPasskeys, type OwnPasskey } from '@/lib/accounts/own-passkeys'
import { handleOf, relyingParty } from '@/lib/accounts/passkeys'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Session } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { timeAgo } from '@/lib/i18n/time-ago'
import { op } from '@/lib/op'
import { AcceptedPasskeys } from './accepted-passkeys'
import { removeOne } from './passkey/actions'

export async function Passkeys({ session }: { session: Session }) {
  const { passkeys: words } = await currentMessages()
  const portal = await op()
  const own = await listOwnPasskeys(portal, session)
  return (
    <Section title={words.title} text={words.text}>
      {own.length === 0 ? (
        <p className="font-medium">{words.none}</p>
      ) : (
        <ul className="grid divide-y divide-line border-line border-y">
          {own.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <AcceptedPasskeys
        rpId={relyingParty(portal)}
        userId={handleOf(session.user)}
        allAcceptedCredentialIds={own.map(({ id }) => id)}
      />
      <div>
        <LinkButton href="/account/security/passkey" tone="quiet">
          {words.add}
        </LinkButton>
      </div>
    </Section>
  )
}

async function Passkey({ passkey }: { passkey: OwnPasskey }) {
  const { passkeys: words, account } = await currentMessages()
  const { security } = account
  const locale = await currentLocale()
  const when = (at: Date) => timeAgo(at, new Date(), locale)
  const { id, deviceBound, createdAt, lastUsedAt } = passkey
  const name = passkey.name || words.unnamed
  return (
    <li className="grid gap-1 py-3">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium [overflow-wrap:anywhere]">
        {name}
        <Badge>{deviceBound ? words.bound : words.synced}</Badge>
      </span>
      <span className="text-muted text-small">
        {fill(security.added, { when: when(createdAt) })}
        {' · '}
        {lastUsedAt ? fill(security.used, { when: when(lastUsedAt) }) : security.neverUsed}
      </span>
      <div className="flex flex-wrap items-start gap-x-6">
        <a
          href={`/account/security/passkey?id=${encodeURIComponent(id)}`}
          aria-label={fill(words.renameNamed, { name })}
          className="inline-flex min-h-9 items-center text-link text-small"
        >
          {words.rename}
        </a>
        <Removal
          summary={security.remove}
          label={fill(security.removeNamed, { name })}
          text={words.removeText}
        >
          <form action={removeOne}>
            <input type="hidden" name="id" value={id} />
            <QuietSubmit label={words.removeConfirm} busyLabel={security.removing} />
          </form>
        </Removal>
      </div>
    </li>
  )
}
