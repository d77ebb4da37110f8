import type { AdminApi } from '@/lib/admin/api'
import { listRoles, ROLE_TYPES, type RoleWire } from '@/lib/api/routes/roles'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { Check, Select, TextInput } from '../_ui/form'

type Props = { api: AdminApi; space: string; role?: RoleWire }

/** A role's own fields, when it is made and later. */
export async function RoleFields({ api, space, role }: Props) {
  const { rolePages: words } = (await currentMessages()).admin
  return (
    <>
      <TextInput name="name" label={words.name} defaultValue={role?.name ?? ''} />
      <TextInput name="key" label={words.key} hint={words.keyHint} defaultValue={role?.key ?? ''} />
      <TextInput
        name="description"
        label={words.description}
        defaultValue={role?.description ?? ''}
      />
      <Select
        name="type"
        label={words.type}
        hint={words.typeHint}
        defaultValue={role?.type ?? 'user'}
        options={choices(ROLE_TYPES, words.types)}
      />
      <Parents api={api} space={space} {...(role && { role })} />
    </>
  )
}

async function Parents({ api, space, role }: Props) {
  const { rolePages: words } = (await currentMessages()).admin
  const query = { limit: 200, sort: 'name' }
  const { data } = await api.get(listRoles, { params: { space }, query })
  const others = data.filter(({ id }) => id !== role?.id)
  return (
    <fieldset id="parents" className="grid gap-2">
      <legend className="font-semibold">{words.parentsLabel}</legend>
      <p className="text-muted text-small">
        {others.length > 0 ? words.parentsHint : words.parentsNone}
      </p>
      <div className="grid max-h-80 gap-x-6 gap-y-2 overflow-y-auto sm:grid-cols-2">
        {others.map(({ id, key, name }) => (
          <Check
            key={id}
            name="parents"
            value={key}
            label={name}
            checked={role?.parents.includes(key) ?? false}
          />
        ))}
      </div>
    </fieldset>
  )
}
