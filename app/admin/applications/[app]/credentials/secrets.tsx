import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Removal } from '@/app/_ui/removal'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import type { SecretWire } from '@/lib/api/applications/secrets'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { timeAgo } from '@/lib/i18n/time-ago'
import { op } from '@/lib/op'
import { revokeSecret } from './actions'
import { CreatedOn, CredentialStateBadge, credentialState, Ending, LastUse } from './states'

type Props = { app: ApplicationWire; secrets: readonly SecretWire[]; mayWrite: boolean }

export async function SecretList({ app, secrets, mayWrite }: Props) {
  const { credentials: words } = (await currentMessages()).admin.applications
  if (secrets.length === 0) {
    return (
      <p className="text-muted">
        {words.none} {words.noneHint}
      </p>
    )
  }
  return (
    <ul className="grid divide-y divide-line border-line border-t">
      {secrets.map((secret) => (
        <Secret key={secret.id} app={app} secret={secret} mayWrite={mayWrite} />
      ))}
    </ul>
  )
}

type RowProps = { app: ApplicationWire; secret: SecretWire; mayWrite: boolean }

async function Secret({ app, secret, mayWrite }: RowProps) {
  const { now } = await op()
  const dated = { expiresAt: secret.expiresAt, stopped: secret.revokedAt !== null }
  const state = credentialState(dated, now())
  return (
    <li className="grid gap-2 py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3
          className={`font-semibold [overflow-wrap:anywhere] ${state === 'over' ? 'text-muted' : ''}`}
        >
          {secret.name}
        </h3>
        <CredentialStateBadge state={state} />
        <code className="code text-muted">{`ghcs_…${secret.hint}`}</code>
      </div>
      <p className="flex flex-wrap gap-x-5 text-muted text-small">
        <span>
          <CreatedOn at={secret.createdAt} />
        </span>
        <span>
          <LastUse {...secret} />
        </span>
        <span className={state === 'ending' ? 'font-semibold text-danger' : ''}>
          <Ending {...dated} />
        </span>
      </p>
      {mayWrite && state !== 'over' && <Acts app={app} secret={secret} />}
    </li>
  )
}

async function Acts({ app, secret }: Omit<RowProps, 'mayWrite'>) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const named = { name: secret.name }
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-1">
      <a
        href={`/admin/applications/${encodeURIComponent(app.id)}/credentials?rotate=${secret.id}`}
        aria-label={fill(words.rotateNamed, named)}
        className="inline-flex min-h-9 items-center font-semibold text-link text-small"
      >
        {words.rotate}
      </a>
      <Removal
        summary={words.revoke}
        label={fill(words.revokeNamed, named)}
        text={await revokeText(secret)}
      >
        <form action={revokeSecret}>
          <input type="hidden" name="id" value={app.id} />
          <input type="hidden" name="secret" value={secret.id} />
          <QuietSubmit label={fill(words.revokeNamed, named)} busyLabel={words.revokeBusy} />
        </form>
      </Removal>
    </div>
  )
}

/** Whoever takes it away hears when it was last needed. */
async function revokeText({ lastUsedAt }: SecretWire): Promise<string> {
  const { credentials: words } = (await currentMessages()).admin.applications
  if (lastUsedAt === null) return words.revokeText
  const when = timeAgo(new Date(lastUsedAt), new Date(), await currentLocale())
  return `${words.revokeText} ${fill(words.revokeWarn, { when })}`
}
