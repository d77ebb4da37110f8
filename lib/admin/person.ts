import { getUser, listUsers, type UserWire } from '../api/users/users'
import type { AdminApi } from './api'

/** The API identifies users by ID and user name; forms also accept an e-mail address. */
export async function findPerson(api: AdminApi, name: string): Promise<UserWire | null> {
  if (!api.may('users:read')) return null
  const found = await api.find(getUser, { params: { user: name } })
  if (found || !name.includes('@')) return found
  const { data } = await api.get(listUsers, { query: { q: name, limit: 10 } })
  return data.find(({ email }) => email?.toLowerCase() === name.toLowerCase()) ?? null
}
