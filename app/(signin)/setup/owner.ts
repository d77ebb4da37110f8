import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'

/** For the steps after the account was created; anybody else has nothing to set up. */
export async function ownerApi(): Promise<AdminApi> {
  const api = await adminApi()
  if (api.session.user.adminRole !== 'owner') redirect('/admin')
  return api
}
