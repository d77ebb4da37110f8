import { adminPage } from '@/lib/admin/api'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { CreatePage } from '../../_ui/create-page'
import { onceWords } from '../../applications/once'
import { ShownOnce } from '../../applications/shown-once'
import { createWebhook } from '../actions'
import { WebhookFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.webhooks.newTitle)

export default async function NewWebhookPage() {
  const api = await adminPage('/admin/webhooks/new')
  const { webhooks: words } = (await currentMessages()).admin
  return (
    <CreatePage
      api={api}
      page="/admin/webhooks"
      title={words.newTitle}
      intro={words.newIntro}
      above={{ href: '/admin/webhooks', label: words.title }}
      action={createWebhook}
      made={<ShownOnce words={await onceWords()} />}
    >
      <WebhookFields words={words} />
    </CreatePage>
  )
}
