import type { ReactNode } from 'react'
import { WideFrame } from '@/app/_ui/wide-frame'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { compiled } from '@/lib/docs/compiled'
import { type Document, plainText } from '@/lib/docs/document'
import {
  addressOf,
  DOCS,
  DOCUMENT_GROUPS,
  DOCUMENT_LANGUAGE,
  DOCUMENTS,
  type DocumentGroup,
  type ListedDocument,
} from '@/lib/docs/list'
import type { Messages } from '@/lib/i18n'
import { type Entry, type Group, Navigation, type Part } from './navigation'

type Open = { listed: ListedDocument; document: Document }
/** `groups` stand beside the page, instead of all documents. */
type Props = { open?: Open; asked?: string; groups?: Group[]; children: ReactNode }

/** The list of documents and the search, beside one of them. */
export async function DocumentFrame({ open, asked = '', groups: own, children }: Props) {
  const { guides, docs } = await currentMessages()
  const groups = own ?? documentGroups(guides, docs.title, open)
  const isForeign = (await currentLocale()) !== DOCUMENT_LANGUAGE
  return (
    <WideFrame
      aside={
        <Navigation groups={groups} asked={asked} isForeign={isForeign} words={wordsOf(guides)} />
      }
    >
      <div className="grid max-w-[46rem] min-w-0 gap-6">{children}</div>
    </WideFrame>
  )
}

function documentGroups(words: Messages['guides'], api: string, open?: Open): Group[] {
  return DOCUMENT_GROUPS.map((group) => ({
    title: words.groups[group],
    entries: [...entriesOf(group, open), ...referenceEntries(group, api)],
  }))
}

function entriesOf(group: DocumentGroup, open?: Open): Entry[] {
  return DOCUMENTS.filter((document) => document.group === group).map((listed) => ({
    href: addressOf(listed),
    title: listed.title,
    isEnglish: true,
    parts: open && open.listed === listed ? partsOf(open) : null,
  }))
}

/** The API reference is drawn from the code and is no document. */
function referenceEntries(group: DocumentGroup, title: string): Entry[] {
  if (group !== 'reference') return []
  return [{ href: `${DOCS}/api`, title, isEnglish: false, parts: null }]
}

function partsOf({ listed, document: { blocks } }: Open): Part[] {
  if (listed.inParts) return pagesBelow(listed)
  return blocks.flatMap((block) =>
    block.kind === 'heading' && block.depth === 2
      ? [{ href: `#${block.id}`, title: plainText(block.text) }]
      : [],
  )
}

function pagesBelow(listed: ListedDocument): Part[] {
  const below = Object.entries(compiled.documents).filter(([path]) =>
    path.startsWith(`${listed.path}/`),
  )
  return below.map(([path, { title }]) => ({ href: addressOf({ path }), title }))
}

function wordsOf({
  navigation,
  open,
  search,
  searchHint,
  submit,
  found,
  foundOne,
  nothingFound,
  onlyEnglish,
}: Messages['guides']) {
  return {
    navigation,
    open,
    search,
    searchHint,
    submit,
    found,
    foundOne,
    nothingFound,
    onlyEnglish,
  }
}
