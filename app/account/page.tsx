import type { Metadata } from 'next'
import { LinkButton } from '@/app/_ui/link-button'
import { picturePath } from '@/lib/accounts/avatar'
import { ownProfile } from '@/lib/accounts/profile'
import { currentMessages } from '@/lib/browser/locale'
import { requireUser, type Session } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { ProfileForm } from './form'
import { AccountFrame } from './frame'
import { Portrait } from './portrait'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).account.title }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ProfilePage({ searchParams }: Props) {
  const session = await requireUser()
  const { done } = await searchParams
  const { account, common } = await currentMessages()
  const { profile } = account
  return (
    <AccountFrame page="profile" title={profile.title} intro={profile.intro} done={done}>
      <Picture session={session} />
      <ProfileForm
        profile={await ownProfile(await op(), session)}
        words={profile}
        save={account.save}
        saving={account.saving}
        common={common}
      />
    </AccountFrame>
  )
}

async function Picture({ session }: { session: Session }) {
  const { picture } = (await currentMessages()).account
  const path = await picturePath(await op(), session)
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <Portrait path={path} name={session.user.name} alt={picture.current} large />
      <LinkButton href="/account/picture" tone="quiet">
        {path === null ? picture.add : picture.change}
      </LinkButton>
    </div>
  )
}
