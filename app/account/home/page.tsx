import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { requireUser } from '@/lib/browser/session'
import { AccountFrame } from '../frame'
import { Home } from './home'

export const generateMetadata = pageTitle(({ account }) => account.home.title)

export default async function HomePage() {
  const session = await requireUser()
  const { home: words } = (await currentMessages()).account
  return (
    <AccountFrame page="home" title={words.title}>
      <Home session={session} />
    </AccountFrame>
  )
}
