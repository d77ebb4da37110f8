import { Heading } from '@/app/_ui/heading'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { compiled } from '@/lib/docs/compiled'
import { DOCS } from '@/lib/docs/list'
import { type Hit, search } from '@/lib/docs/search'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { DocumentFrame, documentGroups } from './_ui/document-frame'

type Words = Messages['guides']
export const generateMetadata = pageTitle(({ guides }) => guides.title)

/** All documents, or those that a search found. */
export default async function DocumentsPage({ searchParams }: PageProps) {
  const { guides, docs } = await currentMessages()
  const { q } = await searchParams
  const asked = (typeof q === 'string' ? q : '').trim().slice(0, 100)
  return (
    <DocumentFrame asked={asked}>
      {asked === '' ? (
        <AllDocuments words={guides} api={docs.title} />
      ) : (
        <Results asked={asked} hits={search(compiled.sections, asked)} words={guides} />
      )}
    </DocumentFrame>
  )
}

function AllDocuments({ words, api }: { words: Words; api: string }) {
  return (
    <>
      <Heading title={words.title} text={words.lead} />
      <div className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        {documentGroups(words, api).map(({ title, entries }) => (
          <section key={title} className="grid content-start gap-2">
            <h2 className="text-lead font-semibold">{title}</h2>
            <ul className="grid gap-0.5">
              {entries.map(({ href, title: name, isEnglish }) => (
                <li key={href}>
                  <a
                    href={href}
                    className="text-link inline-block min-h-7"
                    {...(isEnglish && { lang: 'en' })}
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

function Results({ asked, hits, words }: { asked: string; hits: readonly Hit[]; words: Words }) {
  return (
    <>
      <Heading title={fill(words.results, { question: asked })} />
      {hits.length === 0 && <p>{words.nothingFound}</p>}
      <ol lang="en" className="grid gap-5">
        {hits.map(({ href, heading, document, excerpt }) => (
          <li key={href} className="grid gap-0.5">
            <a href={href} className="text-link justify-self-start font-semibold">
              {heading}
            </a>
            {heading !== document && <p className="text-small text-muted">{document}</p>}
            <p className="text-small [overflow-wrap:anywhere]">{excerpt}</p>
          </li>
        ))}
      </ol>
      <p>
        <a href={DOCS} className="text-link">
          {words.all}
        </a>
      </p>
    </>
  )
}
