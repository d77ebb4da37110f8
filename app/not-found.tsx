import { pageTitle } from '@/lib/browser/locale'
import { DeadEnd } from './_ui/dead-end'

export const generateMetadata = pageTitle(({ notFound }) => notFound.title)

export default function NotFound() {
  return <DeadEnd is="notFound" />
}
