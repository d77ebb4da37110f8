import type { AdminApi } from '@/lib/admin/api'
import { listApplications } from '@/lib/api/routes/applications'
import { listPermissions } from '@/lib/api/routes/permissions'
import { listResources } from '@/lib/api/routes/resources'
import { listSpaces } from '@/lib/api/routes/spaces'
import { listUsers } from '@/lib/api/routes/users'

/** What a field may be filled with: offered while typing, and nothing else is forbidden. */

type Option = { value: string; label: string }

function Offered({ id, options }: { id: string; options: readonly Option[] }) {
  return (
    <datalist id={id}>
      {options.map(({ value, label }) => (
        <option key={value} value={value} label={label} />
      ))}
    </datalist>
  )
}

const query = { limit: 100 }

export async function ClientSuggestions({ api, id }: { api: AdminApi; id: string }) {
  const { data } = await api.get(listApplications, { query })
  return <Offered id={id} options={data.map((one) => ({ value: one.id, label: one.name }))} />
}

/** Only for those who may see users. */
export async function UserSuggestions({ api, id }: { api: AdminApi; id: string }) {
  if (!api.may('users:read')) return null
  const { data } = await api.get(listUsers, { query })
  const options = data.map((one) => ({
    value: one.email ?? one.username ?? one.id,
    label: one.name ?? one.username ?? one.id,
  }))
  return <Offered id={id} options={options} />
}

/** The permissions of every space. */
export async function PermissionSuggestions({ api, id }: { api: AdminApi; id: string }) {
  const spaces = await api.get(listSpaces, { query })
  const lists = await Promise.all(
    spaces.data.map(({ id: space }) => api.get(listPermissions, { params: { space }, query })),
  )
  const options = lists.flatMap(({ data }) => data.map(({ key }) => ({ value: key, label: key })))
  return <Offered id={id} options={options} />
}

export async function ResourceSuggestions({ api, id }: { api: AdminApi; id: string }) {
  const spaces = await api.get(listSpaces, { query })
  const lists = await Promise.all(
    spaces.data.map(({ id: space }) => api.get(listResources, { params: { space }, query })),
  )
  const options = lists.flatMap(({ data }) =>
    data.map(({ audience, name }) => ({ value: audience, label: name })),
  )
  return <Offered id={id} options={options} />
}
