import { SearchBox } from '@/app/_ui/search-box'
import { Section } from '@/app/_ui/section'
import { patternCovers } from '@/lib/access/pattern'
import { PORTAL_API_NAME, PORTAL_SCOPE_NAMES } from '@/lib/access/portal-api'
import type { AdminApi } from '@/lib/admin/api'
import { listSpaces } from '@/lib/admin/spaces'
import { listPermissions } from '@/lib/api/permissions/permissions'
import { currentMessages, currentTextPicker } from '@/lib/browser/locale'
import { AdminForm, Check, Ticks } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { grantTicked } from './actions'
import type { ApplicationGrants, Grant } from './holding'

type Item = { key: string; sentence: string }
type Group = { name: string; items: Item[] }

const MAX_SPACES = 20
const MAX_ITEMS = 50

/** Permission items by search: what is ticked is granted, without terms. */
export async function Finder({ api, app, grants, version, q }: ApplicationGrants & { q: string }) {
  const { scopes: words } = (await currentMessages()).admin.applications
  const groups = await findItems(api, q)
  const common = await formWords('save')
  return (
    <Section title={words.find}>
      <SearchBox
        path={`/admin/applications/${encodeURIComponent(app.id)}/scopes`}
        label={words.search}
        q={q}
      />
      {groups.length === 0 ? (
        <p className="text-muted">
          {words.foundNone}{' '}
          <a href="/admin/apis" className="text-link">
            {words.apis}
          </a>
        </p>
      ) : (
        <AdminForm
          action={grantTicked}
          words={{ ...common, submit: words.grantTicked, busy: words.granting }}
          hidden={{ id: app.id, version }}
          readOnly={groups.every(({ items }) =>
            items.every(({ key }) => grantStateOf(grants, key) !== null),
          )}
        >
          <Ticks name="tick">
            {groups.map(({ name, items }) => (
              <fieldset key={name} className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
                <legend className="mb-2 font-semibold">{name}</legend>
                {items.map((item) => (
                  <FoundItem key={item.key} item={item} state={grantStateOf(grants, item.key)} />
                ))}
              </fieldset>
            ))}
          </Ticks>
        </AdminForm>
      )}
    </Section>
  )
}

type GrantState = 'has' | 'denied' | null

/** A grant with terms does not count: it may be given without them as well. */
function grantStateOf(grants: readonly Grant[], key: string): GrantState {
  const plain = grants.filter((grant) => patternCovers(grant.pattern, key) && isPlain(grant))
  if (plain.some(({ effect }) => effect === 'deny')) return 'denied'
  return plain.length > 0 ? 'has' : null
}

function isPlain({ condition, validFrom, validUntil, exchangeFrom }: Grant): boolean {
  const limited = condition !== null || validFrom !== null || validUntil !== null
  return !limited && exchangeFrom === null
}

async function FoundItem({ item, state }: { item: Item; state: GrantState }) {
  const { scopes: words } = (await currentMessages()).admin.applications
  const { key, sentence } = item
  if (state === null) return <Check name="pattern" value={key} label={sentence} hint={key} />
  return (
    <div className="grid ps-8">
      <p>{sentence}</p>
      <p className="text-muted text-small">
        {key} · {words[state]}
      </p>
    </div>
  )
}

async function findItems(api: AdminApi, q: string): Promise<Group[]> {
  const spaces = await listSpaces(api)
  const groups = await Promise.all(
    spaces.slice(0, MAX_SPACES).map((space) => itemsOf(api, space, q)),
  )
  return [...groups, await ownItems(api, q)].filter(({ items }) => items.length > 0)
}

async function itemsOf(
  api: AdminApi,
  { id, name }: { id: string; name: string },
  q: string,
): Promise<Group> {
  const { data } = await api.get(listPermissions, {
    params: { space: id },
    query: { q, limit: MAX_ITEMS },
  })
  const inWords = await currentTextPicker()
  const items = data.map(({ key, descriptions }) => ({
    key,
    sentence: inWords(descriptions) ?? key,
  }))
  return { name, items }
}

/** The portal's own; an app manager gives nothing of it (attack N5). */
async function ownItems(api: AdminApi, q: string): Promise<Group> {
  const giving = api.session.user.adminRole !== 'app_manager' && q !== ''
  const { portalScopes } = await currentMessages()
  const found = PORTAL_SCOPE_NAMES.filter((key) => giving && key.includes(q.toLowerCase()))
  const items = found.map((key) => ({ key, sentence: portalScopes[key] }))
  return { name: PORTAL_API_NAME, items }
}
