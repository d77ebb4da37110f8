import { cache } from 'react'
import { picturePath } from '@/lib/accounts/avatar'
import { requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'

/** Where the picture of the signed-in user is, if they have one; read once for a page. */
export const ownPicture = cache(async () => picturePath(await op(), await requireUser()))
