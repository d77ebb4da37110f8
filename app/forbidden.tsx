import type { Metadata } from 'next'
import { currentMessages } from '@/lib/browser/locale'
import { impersonationHere } from '@/lib/browser/session'
import { DeadEnd } from './_ui/dead-end'

export async function generateMetadata(): Promise<Metadata> {
  const { forbidden, impersonation } = await currentMessages()
  return { title: ((await impersonationHere()) ? impersonation.refused : forbidden).title }
}

export default function Forbidden() {
  return <DeadEnd is="forbidden" />
}
