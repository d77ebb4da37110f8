'use server'

import { adminApi } from '@/lib/admin/api'
import { type Destination, destinationsFor } from '@/lib/admin/palette'
import { currentLocale } from '@/lib/browser/locale'

/** Where the palette leads: asked for when it is opened, because few pages are left by it. */
export async function paletteDestinations(): Promise<Destination[]> {
  const { may } = await adminApi()
  return destinationsFor(may, await currentLocale())
}
