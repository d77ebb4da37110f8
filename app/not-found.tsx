import type { Metadata } from 'next'
import { currentMessages } from '@/lib/browser/locale'
import { EmptyState } from './_ui/empty-state'
import { LinkButton } from './_ui/link-button'
import { PageFrame } from './_ui/page-frame'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).notFound.title }
}

export default async function NotFound() {
  const { notFound, common } = await currentMessages()
  return (
    <PageFrame>
      <EmptyState title={notFound.title} text={notFound.body}>
        <div>
          <LinkButton href="/">{common.backToFront}</LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
