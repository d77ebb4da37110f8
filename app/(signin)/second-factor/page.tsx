import { redirect } from 'next/navigation'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { SET_UP_FACTOR } from '@/lib/accounts/admin-factor'
import { requestOptions } from '@/lib/accounts/passkeys'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { askedForFactor, type FactorRequest } from '@/lib/browser/second-factor-form'
import { currentSession } from '@/lib/browser/session'
import { plural } from '@/lib/i18n/plural'
import { waitText } from '@/lib/i18n/wait'
import { op } from '@/lib/op'
import { Expired } from '../expired'
import { type SecondFactorFields, SecondFactorForm } from './form'

export const generateMetadata = pageTitle(({ secondFactor }) => secondFactor.title)

const MAX_SECONDS = 24 * 60 * 60

export default async function SecondFactorPage({ searchParams }: PageProps) {
  const query = await searchParams
  const wait = Number(query.locked)
  if (wait > 0 && wait <= MAX_SECONDS) return <Locked wait={wait} returnTo={returnToOf(query)} />
  const interaction = typeof query.interaction === 'string' ? query.interaction : null
  const asked = await askedForFactor(interaction, query.raise === 'yes')
  if (asked?.by === 'page' && !(await hasFactor(asked)))
    redirect(returningTo(SET_UP_FACTOR, returnToOf(query)))
  const about = {
    interaction: interaction ?? '',
    raise: asked?.by === 'page' ? 'yes' : '',
    returnTo: returnToOf(query),
  }
  return (
    <PageFrame plain>{asked ? <Question asked={asked} about={about} /> : <Expired />}</PageFrame>
  )
}

/** A sign-in that is void: how long codes are locked, and what works all the same. */
async function Locked({ wait, returnTo }: { wait: number; returnTo: string }) {
  const { secondFactor } = await currentMessages()
  const text = waitText(await currentLocale(), secondFactor, wait)
  return (
    <PageFrame plain>
      <div className="grid max-w-[26rem] gap-8">
        <Heading title={secondFactor.lockedTitle} text={text} />
        <div>
          <LinkButton href={returningTo('/login', returnTo)}>{secondFactor.signInAgain}</LinkButton>
        </div>
      </div>
    </PageFrame>
  )
}

async function hasFactor({ userId }: FactorRequest): Promise<boolean> {
  return (await (await op()).strongestFactor(userId)) !== null
}

async function Question({ asked, about }: { asked: FactorRequest; about: SecondFactorFields }) {
  const { userId, by } = asked
  const { secondFactor } = await currentMessages()
  const portal = await op()
  const hasPasskey = await portal.passkeys.any(userId)
  const { intro, introStepUp, introAdmin, introPage } = secondFactor
  const isAdmin = (await currentSession())?.user.adminRole != null
  const page = isAdmin ? introAdmin : introPage
  const why = { 'sign-in': intro, application: introStepUp, page }[by]
  const { confirmMinutes, trustedDeviceDays: days } = (await portal.settings.current()).security
  const locale = await currentLocale()
  const opens = plural(locale, secondFactor.opens, confirmMinutes)
  const text = by === 'sign-in' ? why : `${why} ${opens}`
  const hasApp = await portal.totps.anyConfirmed(userId)
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={secondFactor.title} text={text} />
      <SecondFactorForm
        about={about}
        signingIn={by === 'sign-in'}
        hasApp={hasApp}
        trust={by === 'sign-in' && days > 0 ? plural(locale, secondFactor.trust, days) : null}
        passkey={hasPasskey ? await requestOptions(portal, { for: 'second_factor', userId }) : null}
        words={secondFactor}
      />
      {by === 'page' && !hasApp && <p className="text-muted text-small">{secondFactor.lost}</p>}
    </div>
  )
}
