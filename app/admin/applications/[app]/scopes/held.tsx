import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { fill } from '@/lib/i18n/fill'
import { currentLocale, currentMessages } from '@/lib/locale'
import { StateBadge } from '../../../_ui/state-badge'
import { removeGrant } from './actions'
import type { Grant, Holding } from './page'

export async function HeldGrants(holding: Holding) {
  const { scopes: words } = (await currentMessages()).admin.applications
  const { grants } = holding
  return (
    <Section title={words.held}>
      {grants.length === 0 ? (
        <p className="text-muted">
          {words.none} {words.noneHint}
        </p>
      ) : (
        <ul className="grid divide-y divide-line border-line border-t">
          {grants.map((grant) => (
            <HeldGrant key={grant.id} {...holding} grant={grant} />
          ))}
        </ul>
      )}
    </Section>
  )
}

async function HeldGrant({ api, app, version, grant }: Holding & { grant: Grant }) {
  const { scopes: words } = (await currentMessages()).admin.applications
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2.5">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="min-w-0">
            <code className="code font-semibold">{grant.pattern}</code>
          </h3>
          <StateBadge tone={grant.effect === 'allow' ? 'good' : 'bad'}>
            {words[grant.effect]}
          </StateBadge>
          <Period {...grant} />
        </div>
        {grant.condition !== null && (
          <p className="text-small">
            <span className="text-muted">{words.condition} </span>
            <code className="code">{grant.condition}</code>
          </p>
        )}
      </div>
      {api.may('applications:write') && (
        <div className="flex flex-wrap items-center gap-x-4">
          <a
            href={`/admin/applications/${app.id}/scopes?edit=${grant.id}`}
            className="inline-flex min-h-9 items-center text-link text-small"
          >
            {fill(words.edit, { name: grant.pattern })}
          </a>
          <form action={removeGrant}>
            <input type="hidden" name="id" value={app.id} />
            <input type="hidden" name="version" value={version} />
            <input type="hidden" name="grant" value={grant.id} />
            <QuietSubmit
              label={words.remove}
              busyLabel={words.removing}
              name={fill(words.removeNamed, { name: grant.pattern })}
            />
          </form>
        </div>
      )}
    </li>
  )
}

async function Period({ validFrom, validUntil }: Pick<Grant, 'validFrom' | 'validUntil'>) {
  const { scopes: words } = (await currentMessages()).admin.applications
  const locale = await currentLocale()
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  const told = (iso: string) =>
    `${new Intl.DateTimeFormat(locale, format).format(new Date(iso))} UTC`
  if (validFrom === null && validUntil === null) return null
  return (
    <span className="text-muted text-small">
      {validFrom !== null && fill(words.from, { when: told(validFrom) })}{' '}
      {validUntil !== null && fill(words.until, { when: told(validUntil) })}
    </span>
  )
}
