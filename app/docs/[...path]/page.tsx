import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Heading } from '@/app/_ui/heading'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { compiled } from '@/lib/docs/compiled'
import type { Document } from '@/lib/docs/document'
import { DOCUMENTS, type ListedDocument } from '@/lib/docs/list'
import { Blocks } from '../_ui/blocks'
import { DocumentFrame } from '../_ui/document-frame'
import { ExampleValues, exampleValues } from '../_ui/example-values'

type Props = {
  params: Promise<{ path: string[] }>
  searchParams: Promise<{ application?: string | string[] }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await documentAt(params)).document.title }
}

export default async function DocumentPage({ params, searchParams }: Props) {
  const open = await documentAt(params)
  const { application } = await searchParams
  const examples = await exampleValues(open.document, application)
  const { guides, common } = await currentMessages()
  const locale = await currentLocale()
  return (
    <DocumentFrame open={open}>
      <div lang="en">
        <Heading title={open.document.title} />
      </div>
      <ExampleValues examples={examples} words={guides} />
      <article lang="en" className="grid min-w-0 gap-4">
        <Blocks
          blocks={open.document.blocks}
          at="part"
          values={examples.values}
          words={guides}
          common={common}
          locale={locale}
        />
      </article>
    </DocumentFrame>
  )
}

async function documentAt(
  params: Props['params'],
): Promise<{ listed: ListedDocument; document: Document }> {
  const path = (await params).path.join('/')
  const listed = DOCUMENTS.find(
    (one) => one.path === path || (one.inParts && path.startsWith(`${one.path}/`)),
  )
  const document = listed && compiled.documents[path]
  return document ? { listed, document } : notFound()
}
