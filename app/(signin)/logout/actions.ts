'use server'

import { redirect } from 'next/navigation'
import { textOf } from '@/lib/form'
import { paths } from '@/lib/oidc/paths'
import { endCurrentSession } from '@/lib/session'

/** An application that sent the person here is answered by the endpoint that it asked. */
export async function signOut(form: FormData): Promise<void> {
  await endCurrentSession()
  const request = textOf(form, 'request')
  redirect(
    request === ''
      ? '/logout'
      : `/login/continue?to=${encodeURIComponent(`${paths.endSession}?${request}`)}`,
  )
}
