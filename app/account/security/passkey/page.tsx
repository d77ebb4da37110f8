import { listOwnPasskeys } from '@/lib/accounts/own-passkeys'
import { creationOptions } from '@/lib/accounts/passkeys'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returnToOf } from '@/lib/browser/return-to'
import {
  requireConfirmed,
  requireConfirmedByFactor,
  requireUser,
  type Session,
} from '@/lib/browser/session'
import { op } from '@/lib/op'
import { AccountFrame } from '../../frame'
import { BackToSecurity } from '../back'
import { AddPasskeyForm, RenamePasskeyForm } from './form'

export const generateMetadata = pageTitle(({ passkeys }) => passkeys.addTitle)

/** A new passkey; with an id, another name for one that is there. */
export default async function PasskeyPage({ searchParams }: PageProps) {
  const query = await searchParams
  const { id } = query
  const { passkeys: words } = await currentMessages()
  const renamed = typeof id === 'string' ? await ownPasskey(await requireUser(), id) : undefined
  const session = renamed ? await requireConfirmed() : await requireConfirmedByFactor()
  return (
    <AccountFrame
      page="security"
      title={renamed ? words.renameTitle : words.addTitle}
      {...(!renamed && { intro: words.addIntro })}
    >
      {renamed ? (
        <RenamePasskeyForm id={renamed.id} name={renamed.name} words={words} />
      ) : (
        <Add session={session} returnTo={returnToOf(query)} />
      )}
      <BackToSecurity />
    </AccountFrame>
  )
}

async function ownPasskey(session: Session, id: string) {
  return (await listOwnPasskeys(await op(), session)).find((passkey) => passkey.id === id)
}

async function Add({ session, returnTo }: { session: Session; returnTo: string }) {
  const { passkeys: words } = await currentMessages()
  const options = await creationOptions(await op(), session.user)
  return <AddPasskeyForm options={options} returnTo={returnTo} words={words} />
}
