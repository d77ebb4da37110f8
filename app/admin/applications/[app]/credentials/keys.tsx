import type { AccessKeyWire } from '@/lib/api/applications/access-keys'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { op } from '@/lib/op'
import { Fact, Facts } from '../../../_ui/facts'
import { StateBadge } from '../../../_ui/state-badge'
import { CreatedOn, CredentialStateBadge, credentialState, Ending, LastUse } from './states'

type Props = { app: ApplicationWire; keys: readonly AccessKeyWire[]; mayWrite: boolean }

export async function KeyList({ app, keys, mayWrite }: Props) {
  const { credentials: words } = (await currentMessages()).admin.applications
  if (keys.length === 0) {
    return (
      <p className="text-muted">
        {words.keysNone} {words.keysNoneHint}
      </p>
    )
  }
  return (
    <ul className="grid divide-y divide-line border-line border-t">
      {keys.map((key) => (
        <Key key={key.accessKey} app={app} of={key} mayWrite={mayWrite} />
      ))}
    </ul>
  )
}

type RowProps = { app: ApplicationWire; of: AccessKeyWire; mayWrite: boolean }

async function Key({ app, of, mayWrite }: RowProps) {
  const { applications, disabled } = (await currentMessages()).admin
  const { credentials: words } = applications
  const { now } = await op()
  const dated = { expiresAt: of.expiresAt, stopped: false }
  const state = credentialState(dated, now())
  return (
    <li className="grid gap-2 py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="font-semibold [overflow-wrap:anywhere]">
          {mayWrite ? (
            <a
              href={`/admin/applications/${encodeURIComponent(app.id)}/credentials/${of.accessKey}`}
              aria-label={fill(words.edit, { name: of.name })}
              className="text-link"
            >
              {of.name}
            </a>
          ) : (
            of.name
          )}
        </h3>
        {of.enabled ? (
          <CredentialStateBadge state={state} />
        ) : (
          <StateBadge tone="quiet">{disabled}</StateBadge>
        )}
        <code className="code text-muted">{`ghsk_…${of.hint}`}</code>
      </div>
      <Facts>
        <Fact term={words.accessKey} copy={of.accessKey}>
          {of.accessKey}
        </Fact>
        <Fact term={words.scopes}>
          {of.scopes === null ? (
            words.allScopes
          ) : (
            <code className="code">{of.scopes.join(', ')}</code>
          )}
        </Fact>
        <Fact term={words.tokens}>
          {of.tokenSeconds === null
            ? words.asApi
            : plural(await currentLocale(), words.seconds, of.tokenSeconds)}
        </Fact>
      </Facts>
      <p className="flex flex-wrap gap-x-5 text-muted text-small">
        <span>
          <CreatedOn at={of.createdAt} />
        </span>
        <span>
          <LastUse {...of} />
        </span>
        <span>
          <Ending {...dated} />
        </span>
      </p>
    </li>
  )
}
