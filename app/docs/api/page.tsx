import { Heading } from '@/app/_ui/heading'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { DOCS } from '@/lib/docs/list'
import type { Messages } from '@/lib/i18n'
import { paths } from '@/lib/oidc/paths'
import { op } from '@/lib/op'
import { Introduction } from './introduction'
import { ReferenceFrame } from './reference-frame'

export const generateMetadata = pageTitle(({ docs }) => docs.title)

/** What holds for every call; each group of them has a page of its own. */
export default async function ApiReferencePage() {
  const { docs, common, guides } = await currentMessages()
  const { origin } = await op()
  return (
    <ReferenceFrame>
      <div className="grid max-w-[46rem] gap-5">
        <Heading title={docs.title} text={docs.lead} />
        <Documents words={docs} guides={guides.title} />
      </div>
      <Introduction origin={origin} words={docs} common={common} />
    </ReferenceFrame>
  )
}

function Documents({ words, guides }: { words: Messages['docs']; guides: string }) {
  const documents = [
    [DOCS, guides],
    ['/api/v1/openapi.json', words.openapi],
    [paths.discovery, words.discovery],
    ['/.well-known/authzen-configuration', words.authzen],
  ] as const
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-small">
      {documents.map(([href, name]) => (
        <li key={href}>
          <a href={href} className="text-link inline-block min-h-6">
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}
