import type { Metadata } from 'next'
import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { refusedPage } from '@/lib/browser/form-status'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  return { title: (await wordsFor(props)).title }
}

/** An admin is in the account of a user here: why an application, or a form, gets nothing. */
export default async function ImpersonatedPage(props: PageProps) {
  const { title, text } = await wordsFor(props)
  const { back } = (await currentMessages()).impersonation.apps
  if (await isForm(props)) refusedPage()
  return (
    <PageFrame plain>
      <EmptyState title={title} text={text}>
        <div>
          <LinkButton href="/account/home" tone="quiet">
            {back}
          </LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}

async function wordsFor(props: PageProps) {
  const { refused, apps } = (await currentMessages()).impersonation
  return (await isForm(props)) ? refused : apps
}

async function isForm({ searchParams }: PageProps): Promise<boolean> {
  return (await searchParams).refused !== undefined
}
