import type { ReactNode } from 'react'
import { BrandStyle } from '@/app/_ui/brand-style'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import type { Face } from '@/lib/browser/application-face'
import {
  currentLocale,
  currentMessages,
  currentSettings,
  currentTextPicker,
  type TextPicker,
} from '@/lib/browser/locale'
import type { SignedInBefore } from '@/lib/browser/open-interaction'
import { directionOf } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { AppMark } from '../consent/app-mark'
import { AppWords } from '../consent/app-words'

type Props = {
  face: Face | null
  returnTo: string
  /** Why the application asks somebody to sign in once more. */
  again?: SignedInBefore | null
  /** Nobody has said yet who they are. */
  first: boolean
  children: ReactNode
}

/** The sign-in page around its forms: in the look of the portal, and of the application behind it. */
export async function SignInFrame({ face, returnTo, again = null, first, children }: Props) {
  const { login } = await currentMessages()
  const inWords = await ownWords()
  const { signInTitle, signInText } = (await currentSettings()).branding
  const own = first ? inWords(signInText) : undefined
  const intro = await introOf(returnTo, face, again)
  const leadsOn = face !== null || returnTo !== '/'
  return (
    <PageFrame plain picture={face?.branding.picture}>
      <div className="grid max-w-[26rem] gap-7">
        {face && <AppFace face={face} />}
        <Heading
          title={inWords(signInTitle) ?? login.title}
          {...((first || face) && { text: own ?? intro })}
        />
        {own !== undefined && leadsOn && <p>{intro}</p>}
        {face && first && <Welcome face={face} />}
        {children}
      </div>
    </PageFrame>
  )
}

/** A text in another direction than the page keeps its signs where they belong. */
async function ownWords(): Promise<TextPicker> {
  const inWords = await currentTextPicker()
  if (directionOf(await currentLocale()) === 'ltr') return inWords
  return (texts) => {
    const text = inWords(texts)
    return text && `\u2068${text}\u2069`
  }
}

/** Where it leads. */
async function introOf(
  returnTo: string,
  face: Face | null,
  again: SignedInBefore | null,
): Promise<string> {
  const { login } = await currentMessages()
  if (face && again) return fill(login.again[again.why], { app: face.name })
  if (face) return fill(login.introApp, { app: face.name })
  return returnTo === '/' ? login.intro : login.introContinue
}

/** The application is recognised here, before the password is typed. */
function AppFace({ face: { name, logoUri, branding } }: { face: Face }) {
  return (
    <>
      <BrandStyle of={branding} />
      <AppMark name={name} logoUri={logoUri} logos={branding.logos} />
    </>
  )
}

async function Welcome({ face: { name, branding } }: { face: Face }) {
  const { common } = await currentMessages()
  const inWords = await currentTextPicker()
  return (
    <AppWords from={fill(common.messageFrom, { app: name })} text={inWords(branding.signInText)} />
  )
}
