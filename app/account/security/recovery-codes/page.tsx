import type { Metadata } from 'next'
import { recoveryCodesLeft } from '@/lib/accounts/recovery-codes'
import { currentMessages } from '@/lib/browser/locale'
import { requireConfirmed } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { AccountFrame } from '../../frame'
import { BackToSecurity } from '../back'
import { RecoveryCodesForm } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).account.codes.title }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function RecoveryCodesPage({ searchParams }: Props) {
  const session = await requireConfirmed()
  const { user } = session
  const { done } = await searchParams
  const { account, common } = await currentMessages()
  const left = await recoveryCodesLeft(await op(), session)
  return (
    <AccountFrame
      page="security"
      title={account.codes.title}
      intro={account.codes.intro}
      done={done}
    >
      <RecoveryCodesForm
        who={user.email ?? user.name ?? user.id}
        replaces={left > 0}
        words={account.codes}
        common={common}
      />
      <BackToSecurity />
    </AccountFrame>
  )
}
