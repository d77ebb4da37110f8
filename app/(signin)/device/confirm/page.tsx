import { BigCode } from '@/app/_ui/big-code'
import { EmptyState } from '@/app/_ui/empty-state'
import { Fact } from '@/app/_ui/fact'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietLink } from '@/app/_ui/quiet-link'
import { When } from '@/app/_ui/when'
import { openDevice, type ShownDevice } from '@/lib/browser/device'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { ConfirmForm } from './form'

export const generateMetadata = pageTitle(({ device }) => device.title)

export default async function ConfirmDevicePage({ searchParams }: PageProps) {
  const { interaction, user_code } = await searchParams
  const asked = typeof interaction === 'string' && typeof user_code === 'string'
  const open = asked ? await openDevice(interaction, user_code) : null
  return <PageFrame plain>{open ? <Question {...open} /> : <Over />}</PageFrame>
}

/** A code that somebody else sent is the one danger here: what is asked comes before who asks. */
async function Question({ interaction, code, app, ip, place, askedAt }: ShownDevice) {
  const { device: words } = await currentMessages()
  return (
    <div className="grid max-w-[30rem] gap-8">
      <Heading title={words.confirmTitle} />
      <BigCode code={code} />
      <section className="grid gap-1 border-accent border-s-4 ps-4">
        <h2 className="font-semibold">{words.onlyIf}</h2>
        <p>{words.onlyIfText}</p>
      </section>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-5 gap-y-1.5">
        <Fact term={words.app}>{app.name}</Fact>
        {place !== null && <Fact term={words.place}>{place}</Fact>}
        <Fact term={words.address}>{ip ?? words.unknown}</Fact>
        <Fact term={words.when}>
          <When at={askedAt} full />
        </Fact>
      </dl>
      <ConfirmForm interaction={interaction.id} code={code} words={words} />
      <div>
        <QuietLink href="/device">{words.another}</QuietLink>
      </div>
    </div>
  )
}

async function Over() {
  const { device } = await currentMessages()
  return (
    <EmptyState {...device.done.expired}>
      <div>
        <LinkButton href="/device">{device.another}</LinkButton>
      </div>
    </EmptyState>
  )
}
