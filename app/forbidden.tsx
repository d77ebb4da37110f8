import { currentMessages, currentSettings, pageTitle } from '@/lib/browser/locale'
import { DeadEnd } from './_ui/dead-end'

export const generateMetadata = pageTitle(({ admin }) => admin.forbidden.title)

export default async function Forbidden() {
  const { admin, common } = await currentMessages()
  const { branding } = await currentSettings()
  return <DeadEnd name={branding.name} {...admin.forbidden} back={common.backToFront} />
}
