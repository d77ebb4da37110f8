import { BigCode } from '@/app/_ui/big-code'
import { deviceName } from '@/app/_ui/device-name'
import { EmptyState } from '@/app/_ui/empty-state'
import { Fact } from '@/app/_ui/fact'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietLink } from '@/app/_ui/quiet-link'
import { When } from '@/app/_ui/when'
import { isAsker, isCodeOpen } from '@/lib/accounts/sign-in-by-mail'
import { pick } from '@/lib/base/pick'
import { type AskedCode, askedCode } from '@/lib/browser/browser-memory'
import { withIdentifier } from '@/lib/browser/identifier'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { thisBrowser } from '@/lib/browser/session'
import { openSignInLink, type SignInLink, shownCode } from '@/lib/delivery/mail/sign-in-code'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { PrintedMail } from '../../printed-mail'
import { CodeForm } from './form'

export const generateMetadata = pageTitle(({ signInCode }) => signInCode.title)

/** Where the code is typed, and where the link in the mail leads. Opening it spends nothing. */
export default async function CodePage({ searchParams }: PageProps) {
  const query = await searchParams
  const returnTo = returnToOf(query)
  const asked = askedCode(await op(), await thisBrowser())
  const content =
    typeof query.token === 'string'
      ? await linkContent(query.token, asked, returnTo)
      : asked && <Typed asked={asked} returnTo={returnTo} />
  return <PageFrame plain>{content || <Closed returnTo={returnTo} />}</PageFrame>
}

async function linkContent(token: string, asked: AskedCode | null, returnTo: string) {
  const portal = await op()
  const link = openSignInLink(portal, token)
  if (!link) return null
  // Also once the code is spent: while its form is answered, the page is drawn again.
  if (asked && isAsker(portal, asked.browser, link)) {
    return <Here asked={asked} code={link.code} returnTo={returnTo} />
  }
  return (await isCodeOpen(portal, link)) && <Elsewhere link={link} />
}

type Asking = { asked: AskedCode; returnTo: string }

async function Typed({ asked, returnTo }: Asking) {
  const { signInCode: words } = await currentMessages()
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={words.title} text={fill(words.sent, { identifier: asked.identifier })} />
      <PrintedMail />
      <CodeForm returnTo={returnTo} code={null} words={await formWords()} />
      <p className="text-muted">{words.noMail}</p>
      <OtherWays asked={asked} returnTo={returnTo} />
    </div>
  )
}

/** In the browser that asked. */
async function Here({ asked, code, returnTo }: Asking & { code: string }) {
  const { signInCode: words } = await currentMessages()
  const text = fill(words.hereText, { identifier: asked.identifier })
  return (
    <div className="grid max-w-[26rem] gap-8">
      <Heading title={words.hereTitle} text={text} />
      <CodeForm returnTo={returnTo} code={code} words={await formWords()} />
      <OtherWays asked={asked} returnTo={returnTo} />
    </div>
  )
}

async function formWords() {
  const { signInCode, login } = await currentMessages()
  return {
    ...pick(signInCode, 'code', 'problem', 'missing', 'wrong', 'void'),
    ...pick(login, 'submit', 'submitting', 'slowDownNext', 'seconds', 'minutes'),
  }
}

async function OtherWays({ asked: { identifier }, returnTo }: Asking) {
  const { signInCode: words } = await currentMessages()
  return (
    <div>
      <QuietLink href={withIdentifier('/login', { identifier, returnTo })}>{words.other}</QuietLink>
    </div>
  )
}

/** Somewhere else: nobody is signed in here, whoever opened the mail. The code is for the asker. */
async function Elsewhere({ link }: { link: SignInLink }) {
  const { signInCode: words, mail, account } = await currentMessages()
  const { facts } = mail.letters
  const portal = await op()
  const place = portal.places.of(link.ip, await currentLocale())
  return (
    <div className="grid max-w-[30rem] gap-8">
      <Heading title={words.elsewhereTitle} text={words.elsewhereText} />
      <BigCode code={shownCode(link.code)} />
      <dl className="grid grid-cols-[max-content_1fr] gap-x-5 gap-y-1.5">
        <Fact term={facts.device}>{deviceName(link, account.sessions)}</Fact>
        <Fact term={facts.address}>{link.ip ?? facts.unknownAddress}</Fact>
        {place !== null && <Fact term={facts.place}>{place}</Fact>}
        <Fact term={facts.when}>
          <When at={link.at} full />
        </Fact>
      </dl>
      <section className="grid gap-1 border-accent border-s-4 ps-4">
        <h2 className="font-semibold">{words.onlyIf}</h2>
        <p>{fill(words.onlyIfText, { host: new URL(portal.origin).host })}</p>
      </section>
    </div>
  )
}

async function Closed({ returnTo }: { returnTo: string }) {
  const { signInCode: words, mail } = await currentMessages()
  return (
    <EmptyState title={words.closedTitle} text={words.closed}>
      <div>
        <LinkButton href={returningTo('/login', returnTo)}>{mail.backToSignIn}</LinkButton>
      </div>
    </EmptyState>
  )
}
