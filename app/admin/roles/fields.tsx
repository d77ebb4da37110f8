import { worded } from '@/app/_ui/worded'
import type { AdminApi } from '@/lib/admin/api'
import { listRoles, ROLE_TYPES, type RoleWire } from '@/lib/api/permissions/roles'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { ChooseMany, searchSource } from '../_ui/choose'
import { Select, TextInput } from '../_ui/form'
import { KeyField } from '../_ui/key-field'

type Props = { api: AdminApi; space: string; role?: RoleWire }

/** A role's own fields, when it is made and later. */
export async function RoleFields({ api, space, role }: Props) {
  const { rolePages: words, form } = (await currentMessages()).admin
  return (
    <>
      <TextInput name="name" label={words.name} defaultValue={role?.name ?? ''} />
      <KeyField label={words.key} hint={words.keyHint} of={role?.key} />
      <TextInput
        name="description"
        label={words.description}
        mark={form.optional}
        defaultValue={role?.description ?? ''}
      />
      <Select
        {...worded(words, 'type')}
        defaultValue={role?.type ?? 'user'}
        options={choices(ROLE_TYPES, words.types)}
      />
      <Parents api={api} space={space} {...(role && { role })} />
    </>
  )
}

async function Parents({ api, space, role }: Props) {
  const { rolePages: words } = (await currentMessages()).admin
  const { data } = await api.get(listRoles, { params: { space }, query: { limit: 200 } })
  const nameOf = (key: string) => data.find((one) => one.key === key)?.name ?? key
  const hasOthers = data.some(({ id }) => id !== role?.id)
  return (
    <ChooseMany
      name="parents"
      label={words.parentsLabel}
      hint={hasOthers ? words.parentsHint : words.parentsNone}
      source={searchSource('role', { space, send: 'hint' })}
      chosen={(role?.parents ?? []).map((key) => ({ value: key, label: nameOf(key), hint: key }))}
    />
  )
}
