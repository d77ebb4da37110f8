import { currentMessages, currentSettings, pageTitle } from '@/lib/browser/locale'
import { DeadEnd } from './_ui/dead-end'

export const generateMetadata = pageTitle(({ forbidden }) => forbidden.title)

export default async function Forbidden() {
  const { forbidden, common } = await currentMessages()
  const { branding } = await currentSettings()
  return <DeadEnd name={branding.name} {...forbidden} back={common.backToFront} />
}
