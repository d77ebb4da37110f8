import type { z } from 'zod'
import { buttonClass } from '@/app/_ui/button'
import { inputClass } from '@/app/_ui/field'
import { Section } from '@/app/_ui/section'
import { patternCovers } from '@/lib/access/pattern'
import type { AdminApi, Page } from '@/lib/admin/api'
import type { permissionSchema } from '@/lib/api/routes/permissions'
import type { Locale } from '@/lib/i18n'
import { currentLocale, currentMessages } from '@/lib/locale'
import { PORTAL_API_NAME, PORTAL_SCOPES } from '@/lib/portal-api'
import { AdminForm, Check } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { grantTicked } from './actions'
import type { Holding } from './page'

type Item = { key: string; sentence: string }
type Group = { name: string; items: Item[] }

const MOST_SPACES = 20
const MOST_ITEMS = 50

/** Permission items by search: what is ticked is granted, without terms. */
export async function Finder({ api, app, grants, version, q }: Holding & { q: string }) {
  const { scopes: words } = (await currentMessages()).admin.applications
  const holds = (key: string) =>
    grants.some(({ effect, pattern }) => effect === 'allow' && patternCovers(pattern, key))
  const groups = await findItems(api, q)
  const common = await formWords('save')
  return (
    <Section title={words.find}>
      <search>
        <form className="flex max-w-[34rem] flex-wrap items-end gap-3">
          <label className="grid min-w-0 flex-1 gap-1 text-small">
            <span className="text-muted">{words.search}</span>
            <input type="search" name="q" defaultValue={q} maxLength={200} className={inputClass} />
          </label>
          <button type="submit" className={buttonClass('quiet')}>
            {words.search}
          </button>
        </form>
      </search>
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
        >
          {groups.map(({ name, items }) => (
            <fieldset key={name} className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
              <legend className="mb-2 font-semibold">{name}</legend>
              {items.map(({ key, sentence }) =>
                holds(key) ? (
                  <p key={key} className="ps-8">
                    {sentence}{' '}
                    <span className="text-muted text-small">
                      <code className="code">{key}</code> · {words.has}
                    </span>
                  </p>
                ) : (
                  <Check key={key} name="pattern" value={key} label={sentence} hint={key} />
                ),
              )}
            </fieldset>
          ))}
        </AdminForm>
      )}
    </Section>
  )
}

async function findItems(api: AdminApi, q: string): Promise<Group[]> {
  const locale = await currentLocale()
  const { data: spaces } = await api.get<Page<{ id: string; name: string }>>('/spaces', {
    limit: MOST_SPACES,
  })
  const groups = await Promise.all(spaces.map((space) => itemsOf(api, space, q, locale)))
  return [...groups, ownItems(api, q, locale)].filter(({ items }) => items.length > 0)
}

async function itemsOf(
  api: AdminApi,
  { id, name }: { id: string; name: string },
  q: string,
  locale: Locale,
): Promise<Group> {
  const { data } = await api.get<Page<z.infer<typeof permissionSchema>>>(
    `/spaces/${encodeURIComponent(id)}/permissions`,
    { q, limit: MOST_ITEMS },
  )
  const items = data.map(({ key, descriptions }) => ({
    key,
    sentence: descriptions[locale] ?? descriptions.en ?? key,
  }))
  return { name, items }
}

/** The portal's own; an app manager gives nothing of it (N5). */
function ownItems(api: AdminApi, q: string, locale: Locale): Group {
  const giving = api.session.user.adminRole !== 'app_manager' && q !== ''
  const items = Object.entries(PORTAL_SCOPES)
    .filter(([key]) => giving && key.includes(q.toLowerCase()))
    .map(([key, [en, zh]]) => ({ key, sentence: locale === 'en' ? en : zh }))
  return { name: PORTAL_API_NAME, items }
}
