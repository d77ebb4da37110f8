import type { Metadata } from 'next'
import { adminPage } from '@/lib/admin/api'
import { currentMessages } from '@/lib/locale'
import { AdminFrame } from './_ui/frame'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.pages['/admin'] }
}

export default async function OverviewPage() {
  const api = await adminPage('/admin')
  const { admin } = await currentMessages()
  return (
    <AdminFrame api={api} page="/admin" title={admin.pages['/admin']}>
      {null}
    </AdminFrame>
  )
}
