import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { QuietLink } from '@/app/_ui/quiet-link'
import { adminPage, withQuery } from '@/lib/admin/api'
import type { SpaceWire } from '@/lib/api/routes/spaces'
import { currentMessages } from '@/lib/locale'
import { AdminForm } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { AdminFrame } from '../../_ui/frame'
import { createRole } from '../actions'
import { RoleFields } from '../fields'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.rolePages.newTitle }
}

type Props = { searchParams: Promise<{ space?: string | string[] }> }

export default async function NewRolePage({ searchParams }: Props) {
  const api = await adminPage('/admin/roles/new')
  const { space: named } = await searchParams
  if (typeof named !== 'string') redirect('/admin/roles')
  const { admin } = await currentMessages()
  const { rolePages: words } = admin
  const space = await api.get<SpaceWire>(`/spaces/${encodeURIComponent(named)}`)
  const above = withQuery('/admin/roles', { space: space.key })
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={words.newTitle}
      intro={words.newIntro}
      above={{ href: above, label: `${words.title} · ${space.name}` }}
    >
      <div className="max-w-[38rem]">
        <AdminForm
          action={createRole}
          words={await formWords('create')}
          hidden={{ space: space.id }}
          aside={<QuietLink href={above}>{admin.form.cancel}</QuietLink>}
        >
          <RoleFields api={api} space={space.id} />
        </AdminForm>
      </div>
    </AdminFrame>
  )
}
