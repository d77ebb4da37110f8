import type { Metadata } from 'next'
import { QuietLink } from '@/app/_ui/quiet-link'
import { adminPage } from '@/lib/admin/api'
import { currentMessages } from '@/lib/browser/locale'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AdminFrame } from '../../../_ui/frame'
import { createSpace } from '../actions'
import { SpaceFields } from '../fields'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.spaces.newTitle }
}

export default async function NewSpacePage() {
  const api = await adminPage('/admin/roles/spaces/new')
  const { admin } = await currentMessages()
  const { spaces: words } = admin
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={words.newTitle}
      intro={words.intro}
      above={{ href: '/admin/roles/spaces', label: words.title }}
    >
      <div className="max-w-[38rem]">
        <AdminForm
          action={createSpace}
          words={await formWords('create')}
          aside={<QuietLink href="/admin/roles/spaces">{admin.form.cancel}</QuietLink>}
        >
          <SpaceFields />
        </AdminForm>
      </div>
    </AdminFrame>
  )
}
