import type { Metadata } from 'next'
import { CodeBlock } from '@/app/_ui/code-block'
import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { shortestAlone } from '@/lib/accounts/passwords'
import { isSetUpLinkOpen } from '@/lib/accounts/set-up'
import { currentMessages } from '@/lib/browser/locale'
import { op } from '@/lib/op'
import { SetUpForm } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).setup.title }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SetUpPage({ searchParams }: Props) {
  const { token } = await searchParams
  const open = typeof token === 'string' && (await isSetUpLinkOpen(await op(), token))
  return (
    <PageFrame plain={open}>{open ? <FirstAccount token={token} /> : <ClosedLink />}</PageFrame>
  )
}

async function FirstAccount({ token }: { token: string }) {
  const { setup, password, common } = await currentMessages()
  const shortest = await shortestAlone(await op())
  const form = { token, words: setup, password, shortest, common }
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={setup.title} text={setup.intro} />
      <SetUpForm {...form} />
    </div>
  )
}

async function ClosedLink() {
  const { setup, common, front } = await currentMessages()
  return (
    <EmptyState title={setup.closedTitle} text={setup.closed}>
      <div className="max-w-[26rem]">
        <CodeBlock code="npm start" copy={common.copy} copied={common.copied} />
      </div>
      <p className="text-muted">{setup.closedHint}</p>
      <div>
        <LinkButton href="/login" tone="quiet">
          {front.signIn}
        </LinkButton>
      </div>
    </EmptyState>
  )
}
