import { getUser, listUsers, type UserWire } from '../api/routes/users'
import type { AdminApi } from './api'

/** The API knows people by id and user name; whoever types knows their address. */
export async function findPerson(api: AdminApi, name: string): Promise<UserWire | null> {
  if (!api.may('users:read')) return null
  const found = await api.find(getUser, { params: { user: name } })
  if (found || !name.includes('@')) return found
  const { data } = await api.get(listUsers, { query: { q: name, limit: 10 } })
  return data.find(({ email }) => email?.toLowerCase() === name.toLowerCase()) ?? null
}

/** What the API is asked with; whom nobody knows it refuses itself. */
export async function personId(api: AdminApi, name: string): Promise<string> {
  return (await findPerson(api, name))?.id ?? name
}
