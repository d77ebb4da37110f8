import type { Metadata } from 'next'
import { ownProfile } from '@/lib/accounts/profile'
import { currentMessages } from '@/lib/locale'
import { op } from '@/lib/op'
import { requireUser } from '@/lib/session'
import { ProfileForm } from './form'
import { AccountFrame } from './frame'

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
