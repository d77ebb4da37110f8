import { Button } from '@/app/_ui/button'
import { inputClass } from '@/app/_ui/field'
import { lacksAdminFactor } from '@/lib/accounts/admin-factor'
import { apiFor } from '@/lib/admin/api'
import { listApplications } from '@/lib/api/applications/applications'
import { currentSession, type Session } from '@/lib/browser/session'
import type { Document } from '@/lib/docs/document'
import { PLACEHOLDERS, type Values } from '@/lib/docs/fill-in'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'

const MAX_OFFERED = 100

type Offered = { id: string; name: string }
type Examples = { values: Values; offered: readonly Offered[]; isAddressed: boolean }

/** What stands in the examples: the portal's address, and IDs that the reader may see anyway. */
export async function exampleValues(
  document: Document,
  wanted: string | string[] | undefined,
): Promise<Examples> {
  const { origin } = await op()
  const session = await currentSession()
  const text = JSON.stringify(document.blocks)
  const offered = text.includes(PLACEHOLDERS.clientId) ? await applicationsFor(session) : []
  const clientId = offered.find(({ id }) => id === wanted)?.id ?? null
  const values = { origin, clientId, userId: session?.user.id ?? null }
  return { values, offered, isAddressed: text.includes(PLACEHOLDERS.origin) }
}

async function applicationsFor(session: Session | null): Promise<readonly Offered[]> {
  if (!session?.user.adminRole) return []
  if (await lacksAdminFactor(await op(), session.user, session.acr)) return []
  const api = await apiFor(session)
  const sent = await api.send(listApplications, { query: { limit: MAX_OFFERED } })
  return sent.ok ? sent.body.data.map(({ id, name }) => ({ id, name })) : []
}

type Props = { examples: Examples; words: Messages['guides'] }

export function ExampleValues({ examples: { values, offered, isAddressed }, words }: Props) {
  if (!isAddressed) return null
  return (
    <div className="grid gap-3 rounded-panel border border-line bg-raised p-4 text-small">
      <p className="text-muted [overflow-wrap:anywhere]">
        {fill(words.filled, { origin: values.origin })}
      </p>
      {offered.length > 0 && (
        <form method="get" className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
          <div className="grid min-w-0 gap-1.5">
            <label htmlFor="application" className="font-semibold">
              {words.application}
            </label>
            <select
              id="application"
              name="application"
              defaultValue={values.clientId ?? ''}
              className={`${inputClass} min-h-11`}
            >
              <option value="">{words.applicationNone}</option>
              {offered.map(({ id, name }) => (
                <option key={id} value={id}>
                  {`${name} (${id})`}
                </option>
              ))}
            </select>
          </div>
          <Button type="submit" tone="quiet">
            {words.fill}
          </Button>
        </form>
      )}
    </div>
  )
}
