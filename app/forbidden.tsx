import { pageTitle } from '@/lib/browser/locale'
import { DeadEnd } from './_ui/dead-end'

export const generateMetadata = pageTitle(({ forbidden }) => forbidden.title)

export default function Forbidden() {
  return <DeadEnd is="forbidden" />
}
