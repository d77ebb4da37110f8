import type { Metadata } from 'next'
import { QuietLink } from '@/app/_ui/quiet-link'
import { adminPage } from '@/lib/admin/api'
import { currentMessages } from '@/lib/browser/locale'
import { AdminForm } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { AdminFrame } from '../../_ui/frame'
import { createGroup } from '../actions'
import { GroupFields } from '../fields'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.groups.new }
}

export default async function NewGroupPage() {
  const api = await adminPage('/admin/groups/new')
  const { admin } = await currentMessages()
  const { groups: words } = admin
  return (
    <AdminFrame
      api={api}
      page="/admin/groups"
      title={words.new}
      intro={words.empty}
      above={{ href: '/admin/groups', label: words.title }}
    >
      <div className="max-w-[38rem]">
        <AdminForm
          action={createGroup}
          words={await formWords('create')}
          aside={<QuietLink href="/admin/groups">{admin.form.cancel}</QuietLink>}
        >
          <GroupFields words={words} />
        </AdminForm>
      </div>
    </AdminFrame>
  )
}
