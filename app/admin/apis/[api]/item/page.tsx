import { QuietLink } from '@/app/_ui/quiet-link'
import { worded } from '@/app/_ui/worded'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { getPermission, type PermissionWire } from '@/lib/api/permissions/permissions'
import { getResourceById, listHolders } from '@/lib/api/permissions/resource-overview'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { type Locale, languages, locales } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { Deletion } from '../../../_ui/danger'
import { AdminForm, Check, TextInput } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AdminFrame } from '../../../_ui/frame'
import { createItem, deleteItem, saveItem } from './actions'

export const generateMetadata = pageTitle(({ admin }) => admin.apis.itemKey)

/** A key may hold almost any character, so the query names it; without one it is a new item. */
export default async function ItemPage({ params, searchParams }: PageProps<'api'>) {
  const api = await adminPage('/admin/apis/[api]/item')
  const { api: id } = await params
  const { key } = await searchParams
  const { admin } = await currentMessages()
  const { apis: words } = admin
  const resource = await api.get(getResourceById, { params: { id } })
  const seen = typeof key === 'string' ? await readItem(api, resource, key) : null
  const above = `/admin/apis/${resource.id}`
  const hidden = { api: resource.id, space: resource.space, version: seen?.version ?? '' }
  const item = seen?.body
  return (
    <AdminFrame
      api={api}
      page="/admin/apis"
      title={item?.key ?? fill(words.newItemTitle, { name: resource.name })}
      intro={words.itemIntro}
      above={{ href: above, label: resource.name }}
    >
      <div className="max-w-[38rem]">
        <AdminForm
          action={item ? saveItem : createItem}
          words={await formWords(item ? 'save' : 'create')}
          hidden={item ? { ...hidden, key: item.key } : hidden}
          aside={<QuietLink href={above}>{admin.form.cancel}</QuietLink>}
        >
          {!item && (
            <TextInput
              name="key"
              label={words.itemKey}
              hint={fill(words.keyHint, { prefix: resource.prefix })}
              defaultValue={`${resource.prefix}:`}
            />
          )}
          <ItemFields {...(item && { item })} />
        </AdminForm>
      </div>
      {item && <DeleteItem api={api} resource={resource} item={item} hidden={hidden} />}
    </AdminFrame>
  )
}

function readItem(api: AdminApi, { space }: ResourceWire, key: string) {
  return api.read(getPermission, { params: { space, key } })
}

async function ItemFields({ item }: { item?: PermissionWire }) {
  const { apis: words, form } = (await currentMessages()).admin
  const names = new Intl.DisplayNames(await currentLocale(), { type: 'language' })
  const nameOf = (locale: Locale) => names.of(locale) ?? languages[locale].name
  return (
    <>
      {locales.map((locale, at) => (
        <TextInput
          key={locale}
          name={locale}
          label={fill(words.sentenceIn, { language: nameOf(locale) })}
          mark={form.optional}
          {...(at === 0 && { hint: words.sentenceHint })}
          defaultValue={item?.descriptions[locale] ?? ''}
        />
      ))}
      <Check {...worded(words, 'userBound')} checked={item?.userBound ?? false} />
      <Check {...worded(words, 'needsRole')} checked={item?.needsRole ?? false} />
      <Check {...worded(words, 'sensitive')} checked={item?.sensitive ?? false} />
    </>
  )
}

type DeletionProps = {
  api: AdminApi
  resource: ResourceWire
  item: PermissionWire
  hidden: Record<string, string>
}

async function DeleteItem({ api, resource, item, hidden }: DeletionProps) {
  const { apis: words } = (await currentMessages()).admin
  const name = item.key
  const count = await holdersOf(api, resource, name)
  const text = count
    ? plural(await currentLocale(), words.deleteItemHeld, count)
    : words.deleteItemText
  return (
    <Deletion
      action={deleteItem}
      words={{
        dangerTitle: words.deleteItem,
        dangerSummary: words.deleteItemSummary,
        danger: text,
      }}
      name={name}
      hidden={{ ...hidden, key: name }}
    />
  )
}

async function holdersOf(api: AdminApi, { id }: ResourceWire, key: string): Promise<number> {
  const query = { q: key, limit: 200 }
  const { data } = await api.get(listHolders, { params: { id }, query })
  return data.find(({ permission }) => permission === key)?.total ?? 0
}
