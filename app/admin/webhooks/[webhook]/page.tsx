import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getWebhook, type WebhookWire } from '@/lib/api/delivery/webhooks'
import { momentText } from '@/lib/browser/clock'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { choices } from '@/lib/i18n/choices'
import { fill } from '@/lib/i18n/fill'
import { Deletion } from '../../_ui/danger'
import { EnabledBadge } from '../../_ui/enabled'
import { AdminForm, Select } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { AdminFrame } from '../../_ui/frame'
import { onceWords } from '../../applications/once'
import { ShownOnce } from '../../applications/shown-once'
import { deleteWebhook, rotateSecret, saveWebhook } from '../actions'
import { WebhookFields } from '../fields'
import { Deliveries } from './deliveries'

export const generateMetadata = pageTitle(({ admin }) => admin.webhooks.title)

export default async function WebhookPage({ params, searchParams }: PageProps<'webhook'>) {
  const api = await adminPage('/admin/webhooks/[webhook]')
  const { webhook: id } = await params
  const asked = await searchParams
  const { admin } = await currentMessages()
  const { webhooks: words } = admin
  const { body: webhook, version } = await api.read(getWebhook, { params: { webhook: id } })
  const hidden = { id, version: version ?? '' }
  const mayWrite = api.may('webhooks:write')
  return (
    <AdminFrame
      api={api}
      page="/admin/webhooks"
      title={webhook.name}
      above={{ href: '/admin/webhooks', label: words.title }}
      done={asked.done}
      action={<EnabledBadge enabled={webhook.enabled} />}
    >
      <Deliveries api={api} webhook={webhook} params={asked} />
      <div className="grid max-w-[46rem] gap-7">
        <Section title={words.settings}>
          <AdminForm
            action={saveWebhook}
            words={await formWords('save')}
            hidden={hidden}
            readOnly={!mayWrite}
          >
            <WebhookFields words={words} webhook={webhook} />
          </AdminForm>
        </Section>
        {mayWrite && <Secret webhook={webhook} />}
        {mayWrite && (
          <Deletion action={deleteWebhook} words={words} name={webhook.name} hidden={hidden} />
        )}
      </div>
    </AdminFrame>
  )
}

const OVERLAP_HOURS = ['0', '1', '24', '168'] as const

async function Secret({ webhook: { id, previousSecretUntil } }: { webhook: WebhookWire }) {
  const { admin, common } = await currentMessages()
  const { webhooks: words } = admin
  const texts = { submit: words.rotate, busy: words.rotating, problem: common.problem }
  return (
    <Section title={words.secretTitle} text={words.secretText}>
      {previousSecretUntil && (
        <p className="font-medium">
          {fill(words.twoSecrets, { until: await momentText(previousSecretUntil) })}
        </p>
      )}
      <AdminForm action={rotateSecret} words={texts} hidden={{ id }}>
        <ShownOnce words={await onceWords()} />
        <Select
          name="overlap"
          label={words.overlap}
          defaultValue="24"
          options={choices(OVERLAP_HOURS, words.overlaps)}
        />
      </AdminForm>
    </Section>
  )
}
