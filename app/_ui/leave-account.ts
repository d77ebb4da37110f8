'use server'

import { redirect } from 'next/navigation'
import { leaveImpersonation } from '@/lib/browser/session'

/** An admin leaves the account of a user and is back on the page where they opened it. */
export async function leaveAccount(): Promise<void> {
  redirect((await leaveImpersonation()) ?? '/')
}
