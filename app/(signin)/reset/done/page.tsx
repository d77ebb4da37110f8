import type { Metadata } from 'next'
import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages } from '@/lib/browser/locale'
import { returningTo, returnToOf } from '@/lib/browser/return-to'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).mail.reset.doneTitle }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ResetDonePage({ searchParams }: Props) {
  const returnTo = returnToOf(await searchParams)
  const { mail } = await currentMessages()
  return (
    <PageFrame>
      <EmptyState title={mail.reset.doneTitle} text={mail.reset.done}>
        <div>
          <LinkButton href={returningTo('/login', returnTo)}>{mail.signIn}</LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
