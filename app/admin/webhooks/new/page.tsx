import type { Metadata } from 'next'
import { QuietLink } from '@/app/_ui/quiet-link'
import { adminPage } from '@/lib/admin/api'
import { currentMessages } from '@/lib/browser/locale'
import { AdminForm } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { AdminFrame } from '../../_ui/frame'
import { onceWords } from '../../applications/once'
import { ShownOnce } from '../../applications/shown-once'
import { createWebhook } from '../actions'
import { WebhookFields } from '../fields'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.webhooks.newTitle }
}

export default async function NewWebhookPage() {
  const api = await adminPage('/admin/webhooks/new')
  const { webhooks: words, form } = (await currentMessages()).admin
  return (
    <AdminFrame
      api={api}
      page="/admin/webhooks"
      title={words.newTitle}
      intro={words.newIntro}
      above={{ href: '/admin/webhooks', label: words.title }}
    >
      <div className="max-w-[38rem]">
        <AdminForm
          action={createWebhook}
          words={await formWords('create')}
          aside={<QuietLink href="/admin/webhooks">{form.cancel}</QuietLink>}
        >
          <ShownOnce words={await onceWords()} />
          <WebhookFields words={words} />
        </AdminForm>
      </div>
    </AdminFrame>
  )
}
