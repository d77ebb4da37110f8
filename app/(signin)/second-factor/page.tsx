import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { SET_UP_FACTOR } from '@/lib/accounts/admin-factor'
import { requestOptions } from '@/lib/accounts/passkeys'
import { currentMessages } from '@/lib/locale'
import { op } from '@/lib/op'
import { returnToOf } from '@/lib/return-to'
import { type Asked, askedForFactor } from '@/lib/second-factor'
import { Expired } from '../expired'
import { type About, SecondFactorForm } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).secondFactor.title }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SecondFactorPage({ searchParams }: Props) {
  const query = await searchParams
  const interaction = typeof query.interaction === 'string' ? query.interaction : null
  const asked = await askedForFactor(interaction, query.raise === 'yes')
  if (asked?.by === 'page' && !(await hasFactor(asked))) redirect(SET_UP_FACTOR)
  const about = {
    interaction: interaction ?? '',
    raise: asked?.by === 'page' ? 'yes' : '',
    returnTo: returnToOf(query),
  }
  return (
    <PageFrame plain>{asked ? <Question asked={asked} about={about} /> : <Expired />}</PageFrame>
  )
}

async function hasFactor({ userId }: Asked): Promise<boolean> {
  return (await (await op()).strongestFactor(userId)) !== null
}

async function Question({ asked, about }: { asked: Asked; about: About }) {
  const { userId, by } = asked
  const { secondFactor } = await currentMessages()
  const house = await op()
  const hasPasskey = await house.passkeys.any(userId)
  const { intro, introStepUp, introAdmin } = secondFactor
  const text = { 'sign-in': intro, application: introStepUp, page: introAdmin }[by]
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={secondFactor.title} text={text} />
      <SecondFactorForm
        about={about}
        signingIn={by === 'sign-in'}
        hasApp={await house.totps.anyConfirmed(userId)}
        passkey={hasPasskey ? await requestOptions(house, { for: 'second_factor', userId }) : null}
        words={secondFactor}
      />
    </div>
  )
}
