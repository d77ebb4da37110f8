import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Terms } from '../../../_ui/terms'
import { removeGrant } from './actions'
import type { ApplicationGrants, Grant } from './holding'

export async function HeldGrants(holding: ApplicationGrants) {
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

async function HeldGrant({ api, app, version, grant }: ApplicationGrants & { grant: Grant }) {
  const { scopes: words } = (await currentMessages()).admin.applications
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="min-w-0">
          <code className="code font-semibold">{grant.pattern}</code>
        </h3>
        <Terms terms={grant} />
      </div>
      {api.may('applications:write') && (
        <div className="flex flex-wrap items-center gap-x-4">
          <a
            href={`/admin/applications/${encodeURIComponent(app.id)}/scopes?edit=${grant.id}`}
            aria-label={fill(words.edit, { name: grant.pattern })}
            className="inline-flex min-h-9 items-center text-link text-small"
          >
            {words.editShort}
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
