import type { Metadata } from 'next'
import { Heading } from '@/app/_ui/heading'
import { WideFrame } from '@/app/_ui/wide-frame'
import { scopesOf } from '@/lib/api/caller'
import { type ReferenceCall, type ReferenceTag, reference } from '@/lib/api/reference'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { currentLocale, currentMessages } from '@/lib/locale'
import { paths } from '@/lib/oidc/paths'
import { op } from '@/lib/op'
import { currentSession } from '@/lib/session'
import { Anchor } from './anchor'
import { Call } from './call'
import { BASICS, Introduction } from './introduction'
import { type Group, Navigation, type Topic } from './navigation'
import { Prose } from './prose'
import { SampleChoice } from './sample-choice'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).docs.title }
}

export default async function ApiReferencePage() {
  const { docs, common } = await currentMessages()
  const { origin } = await op()
  const tags = reference()
  return (
    <WideFrame
      aside={
        <Navigation topics={topicsOf(docs)} groups={tags.map(toGroup)} words={wordsOf(docs)} />
      }
    >
      <div className="grid min-w-0 gap-14">
        <div className="grid max-w-[46rem] gap-5">
          <Heading title={docs.title} text={docs.lead} />
          <Documents words={docs} />
        </div>
        <Introduction origin={origin} words={docs} common={common} />
        {tags.map((tag) => (
          <Tag key={tag.name} tag={tag} origin={origin} />
        ))}
      </div>
      <SampleChoice />
    </WideFrame>
  )
}

function Documents({ words }: { words: Messages['docs'] }) {
  const documents = [
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

async function Tag({ tag: { name, calls }, origin }: { tag: ReferenceTag; origin: string }) {
  const { docs, common } = await currentMessages()
  const locale = await currentLocale()
  const offers = await offeredTo()
  const id = tagId(name)
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid min-w-0 scroll-mt-6 gap-8">
      <div className="grid gap-2">
        <div className="flex items-baseline gap-2">
          <h2 id={`${id}-title`} lang="en" className="display text-title">
            {name}
          </h2>
          <Anchor to={id} label={fill(docs.link, { name })} />
        </div>
        {name === 'AuthZEN' && (
          <p className="max-w-[46rem]">
            <Prose text={docs.authzenNote} />
          </p>
        )}
      </div>
      {calls.map((call) => (
        <Call
          key={call.id}
          call={call}
          origin={origin}
          offered={offers(call)}
          locale={locale}
          words={docs}
          common={common}
        />
      ))}
    </section>
  )
}

/** Admins may try what their own role lets them do. */
async function offeredTo(): Promise<(call: ReferenceCall) => boolean> {
  const role = (await currentSession())?.user.adminRole ?? null
  const scopes = scopesOf(role)
  return ({ scope }) => role !== null && (scope === null || scopes.has(scope))
}

function tagId(name: string): string {
  return `tag-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
}

function topicsOf(words: Messages['docs']): Topic[] {
  return BASICS.map((id) => ({ id, title: words[id].title }))
}

function toGroup({ name, calls }: ReferenceTag): Group {
  return {
    title: name,
    entries: calls.map(({ id, method, path, summary, scope }) => ({
      id,
      method,
      title: id.replace(/_endpoint$/, ''),
      words: `${id} ${method} ${path} ${summary} ${scope ?? ''} ${name}`.toLowerCase(),
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
