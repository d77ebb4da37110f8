import type { AdminApi, Page } from '@/lib/admin/api'

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

const MOST = 100

type Named = { id: string; name: string }
type Person = { id: string; name: string | null; email: string | null; username: string | null }

export async function ClientSuggestions({ api, id }: { api: AdminApi; id: string }) {
  const { data } = await api.getPath<Page<Named>>('/applications', { limit: MOST })
  return <Offered id={id} options={data.map((one) => ({ value: one.id, label: one.name }))} />
}

/** Only for those who may see users. */
export async function UserSuggestions({ api, id }: { api: AdminApi; id: string }) {
  if (!api.may('users:read')) return null
  const { data } = await api.getPath<Page<Person>>('/users', { limit: MOST })
  const options = data.map((one) => ({
    value: one.email ?? one.username ?? one.id,
    label: one.name ?? one.username ?? one.id,
  }))
  return <Offered id={id} options={options} />
}

/** The permissions of every space. */
export async function PermissionSuggestions({ api, id }: { api: AdminApi; id: string }) {
  const spaces = await api.getPath<Page<Named>>('/spaces', { limit: MOST })
  const lists = await Promise.all(
    spaces.data.map((space) =>
      api.getPath<Page<{ key: string }>>(`/spaces/${space.id}/permissions`, { limit: MOST }),
    ),
  )
  const options = lists.flatMap(({ data }) => data.map(({ key }) => ({ value: key, label: key })))
  return <Offered id={id} options={options} />
}

export async function ResourceSuggestions({ api, id }: { api: AdminApi; id: string }) {
  const spaces = await api.getPath<Page<Named>>('/spaces', { limit: MOST })
  const lists = await Promise.all(
    spaces.data.map((space) =>
      api.getPath<Page<{ audience: string; name: string }>>(`/spaces/${space.id}/resources`, {
        limit: MOST,
      }),
    ),
  )
  const options = lists.flatMap(({ data }) =>
    data.map(({ audience, name }) => ({ value: audience, label: name })),
  )
  return <Offered id={id} options={options} />
}
