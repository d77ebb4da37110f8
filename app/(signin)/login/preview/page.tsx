import { redirect } from 'next/navigation'
import { Style } from '@/app/_ui/brand-style'
import { faceIn } from '@/lib/browser/application-face'
import { pageTitle } from '@/lib/browser/locale'
import { currentPreview } from '@/lib/browser/preview'
import { brandingCss } from '@/lib/settings/branding-css'
import { SignInFrame } from '../frame'
import { Who } from '../who'

export const generateMetadata = pageTitle(({ login }) => login.title)

/** Only to be looked at, in a frame of the page where admins change it. */
export default async function PreviewPage() {
  const preview = await currentPreview()
  if (!preview) redirect('/login')
  const face = await faceIn(preview)
  return (
    <div inert>
      <Style css={brandingCss(preview.branding)} />
      <SignInFrame face={face} returnTo="/" first>
        <Who returnTo="/" hint="" missing={false} face={face} />
      </SignInFrame>
    </div>
  )
}
