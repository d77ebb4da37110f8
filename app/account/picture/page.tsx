import { QuietLink } from '@/app/_ui/quiet-link'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { MAX_PICTURE } from '@/lib/accounts/draw-picture'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { requireUser } from '@/lib/browser/session'
import { AccountFrame } from '../frame'
import { ownPicture } from '../own-picture'
import { Portrait } from '../portrait'
import { dropPicture } from './actions'
import { PictureForm } from './form'

export const generateMetadata = pageTitle(({ account }) => account.picture.title)

export default async function PicturePage() {
  const session = await requireUser()
  const { account, common } = await currentMessages()
  const { picture: words, slowDown } = account
  const path = await ownPicture()
  return (
    <AccountFrame page="profile" title={words.title} intro={words.intro}>
      <div className="flex flex-wrap items-center gap-6">
        <Portrait path={path} name={session.user.name} alt={words.current} large />
        {path === null ? <p className="text-muted">{words.none}</p> : <Remove />}
      </div>
      <PictureForm words={words} slowDown={slowDown} common={common} largest={MAX_PICTURE} />
      <div>
        <QuietLink href="/account">{words.back}</QuietLink>
      </div>
    </AccountFrame>
  )
}

async function Remove() {
  const { picture } = (await currentMessages()).account
  return (
    <form action={dropPicture}>
      <QuietSubmit label={picture.remove} busyLabel={picture.removing} />
    </form>
  )
}
