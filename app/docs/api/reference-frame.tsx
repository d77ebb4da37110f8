import type { ReactNode } from 'react'
import { WideFrame } from '@/app/_ui/wide-frame'
import { type ReferenceTag, reference } from '@/lib/api/reference/reference'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { BASICS } from './introduction'
import { type Group, Navigation, type Topic } from './navigation'

const REFERENCE = '/docs/api'

/** The list of everything beside one page of it. */
export async function ReferenceFrame({ children }: { children: ReactNode }) {
  const { docs } = await currentMessages()
  return (
    <WideFrame
      aside={
        <Navigation
          topics={topicsOf(docs)}
          groups={reference().map(toGroup)}
          words={wordsOf(docs)}
        />
      }
    >
      <div className="grid min-w-0 gap-14">{children}</div>
    </WideFrame>
  )
}

function topicsOf(words: Messages['docs']): Topic[] {
  return BASICS.map((id) => ({ href: `${REFERENCE}#${id}`, title: words[id].title }))
}

function toGroup({ name, slug, calls }: ReferenceTag): Group {
  return {
    title: name,
    href: `${REFERENCE}/${slug}`,
    entries: calls.map(({ id, method, path, summary, scopes }) => ({
      id,
      href: `${REFERENCE}/${slug}#${id}`,
      method,
      title: id.replace(/_endpoint$/, ''),
      words: `${id} ${method} ${path} ${summary} ${scopes.join(' ')} ${name}`.toLowerCase(),
    })),
  }
}

function wordsOf({
  navigation,
  findCall,
  filter,
  filterHint,
  found,
  nothingFound,
  basics,
}: Messages['docs']) {
  return { navigation, findCall, filter, filterHint, found, nothingFound, basics }
}
