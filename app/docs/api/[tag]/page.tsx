import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Heading } from '@/app/_ui/heading'
import { scopesOf } from '@/lib/api/http/caller'
import { type ReferenceCall, type ReferenceTag, reference } from '@/lib/api/reference/reference'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { currentSession } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { Call } from '../call'
import { Prose } from '../prose'
import { ReferenceFrame } from '../reference-frame'
import { SampleChoice } from '../sample-choice'

export async function generateMetadata({ params }: PageProps<'tag'>): Promise<Metadata> {
  const tag = await tagOf(params)
  return { title: `${tag.name} · ${(await currentMessages()).docs.title}` }
}

export default async function TagPage({ params }: PageProps<'tag'>) {
  const { name, calls } = await tagOf(params)
  const { docs, common, portalScopes } = await currentMessages()
  const { origin } = await op()
  const offers = await offeredTo()
  return (
    <ReferenceFrame>
      <div className="grid max-w-[46rem] gap-5">
        <div lang="en">
          <Heading title={name} />
        </div>
        {name === 'AuthZEN' && (
          <p>
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
          sentences={portalScopes}
          words={docs}
          common={common}
        />
      ))}
      <SampleChoice />
    </ReferenceFrame>
  )
}

async function tagOf(params: PageProps<'tag'>['params']): Promise<ReferenceTag> {
  const { tag } = await params
  return reference().find(({ slug }) => slug === tag) ?? notFound()
}

/** Admins may try what their own role lets them do. */
async function offeredTo(): Promise<(call: ReferenceCall) => boolean> {
  const role = (await currentSession())?.user.adminRole ?? null
  const scopes = scopesOf(role)
  return (call) => role !== null && call.scopes.every((scope) => scopes.has(scope))
}
