'use server'

import { redirect } from 'next/navigation'
import { textOf } from '@/lib/browser/form'
import { chooseFor } from '@/lib/browser/open-interaction'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'
import { returningTo, safeReturnTo } from '@/lib/browser/return-to'
import { endSessionHere, switchTo } from '@/lib/browser/session'

/** A session that ended meanwhile has to be begun again. */
export async function chooseAccount(form: FormData): Promise<void> {
  const interaction = textOf(form, 'interaction')
  const returnTo = safeReturnTo(textOf(form, 'returnTo'))
  const goTo = interaction === '' ? returnTo : await chooseFor(interaction)
  if (goTo === null) redirect(addressOf(form))
  if (!(await switchTo(textOf(form, 'session')))) redirect(returningTo('/login', goTo))
  redirectAfterAction(goTo, form)
}

export async function removeAccount(form: FormData): Promise<void> {
  await endSessionHere(textOf(form, 'session'))
  redirect(addressOf(form))
}

function addressOf(form: FormData): string {
  const interaction = textOf(form, 'interaction')
  if (interaction !== '') return `/accounts?${new URLSearchParams({ interaction })}`
  return returningTo('/accounts', safeReturnTo(textOf(form, 'returnTo')))
}
