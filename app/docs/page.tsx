import { Heading } from '@/app/_ui/heading'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { compiled } from '@/lib/docs/compiled'
import { addressOf, DOCS, DOCUMENT_GROUPS, DOCUMENT_LANGUAGE, DOCUMENTS } from '@/lib/docs/list'
import { type Hit, search } from '@/lib/docs/search'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { DocumentFrame } from './_ui/document-frame'

type Words = Messages['guides']
export const generateMetadata = pageTitle(({ guides }) => guides.title)

/** All documents with what each answers, or those that a search found. */
export default async function DocumentsPage({ searchParams }: PageProps) {
  const { guides } = await currentMessages()
  const { q } = await searchParams
  const asked = (typeof q === 'string' ? q : '').trim().slice(0, 100)
  if (asked === '') return <Contents />
  return (
    <DocumentFrame asked={asked}>
      <Results asked={asked} hits={search(compiled.sections, asked)} words={guides} />
    </DocumentFrame>
  )
}

async function Contents() {
  const { guides: words, docs } = await currentMessages()
  const entries = DOCUMENT_GROUPS.map((group) => ({
    href: `#${group}`,
    title: words.groups[group],
    isEnglish: false,
    parts: null,
  }))
  return (
    <DocumentFrame groups={[{ title: words.navigation, entries }]}>
      <Heading title={words.title} text={words.lead} />
      {DOCUMENT_GROUPS.map((group) => (
        <section key={group} id={group} className="grid scroll-mt-6 gap-3">
          <h2 className="text-lead font-semibold">{words.groups[group]}</h2>
          <dl lang={DOCUMENT_LANGUAGE} className={answersClass}>
            {DOCUMENTS.filter((listed) => listed.group === group).map((listed) => (
              <Answer
                key={listed.path}
                href={addressOf(listed)}
                title={listed.title}
                text={compiled.documents[listed.path]?.summary ?? ''}
              />
            ))}
          </dl>
          {group === 'reference' && (
            <dl className={answersClass}>
              <Answer href={`${DOCS}/api`} title={docs.title} text={docs.lead} />
            </dl>
          )}
        </section>
      ))}
    </DocumentFrame>
  )
}

/** On the list and not on each of its many entries, so that the page stays light. */
const answersClass =
  'grid [&_a]:text-link [&_a]:inline-block [&_a]:min-h-7 [&_a]:font-semibold [&_dd]:text-small [&_dd]:text-muted [&_dd:not(:last-child)]:mb-3'

function Answer({ href, title, text }: { href: string; title: string; text: string }) {
  return (
    <>
      <dt>
        <a href={href}>{title}</a>
      </dt>
      <dd>{text}</dd>
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
