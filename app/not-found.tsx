import { lookedFor } from '@/lib/admin/looked-for'
import { currentMessages, currentPath, currentSettings, pageTitle } from '@/lib/browser/locale'
import { sentenceOf } from '@/lib/i18n/error-message'
import { DeadEnd } from './_ui/dead-end'

export const generateMetadata = pageTitle(({ notFound }) => notFound.title)

export default async function NotFound() {
  const { notFound, common, problems } = await currentMessages()
  const { branding } = await currentSettings()
  const wanted = lookedFor(await currentPath())
  const text = wanted ? sentenceOf(wanted, problems.errorMessages) : notFound.body
  return (
    <DeadEnd name={branding.name} title={notFound.title} text={text} back={common.backToFront} />
  )
}
