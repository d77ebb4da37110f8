'use server'

import { redirect } from 'next/navigation'
import { type ApiProblem, adminApi } from '@/lib/admin/api'
import { wordsIn } from '@/lib/admin/choice'
import { press, sendForm, sendNamed } from '@/lib/admin/form-call'
import { resendDelivery, testWebhook } from '@/lib/api/delivery/webhook-deliveries'
import * as webhooks from '@/lib/api/delivery/webhooks'
import { type FormState, numberOf, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import type { NewSecret } from '../applications/shown-once'

const paramsIn = (form: FormData) => ({ webhook: textOf(form, 'id') })
const pageIn = (form: FormData) => `/admin/webhooks/${encodeURIComponent(textOf(form, 'id'))}`

type WithSecret = { id: string; secret: string }

/** The secret is in this answer and nowhere else. */
async function onceFor({ id, secret }: WithSecret, isNew: boolean): Promise<NewSecret> {
  const { webhooks: words } = (await currentMessages()).admin
  return {
    title: words.secretMade,
    values: [[words.secretName, secret]],
    env: { name: 'webhook.env', text: `WEBHOOK_SECRET=${secret}\n` },
    links: isNew ? [[words.toWebhook, `/admin/webhooks/${id}`]] : [],
  }
}

function fieldsIn(form: FormData) {
  return {
    name: textOf(form, 'name'),
    url: textOf(form, 'url').trim(),
    events: wordsIn(form, 'events'),
  }
}

export async function createWebhook(
  _before: FormState,
  form: FormData,
): Promise<FormState<NewSecret>> {
  const api = await adminApi()
  const made = await api.send(webhooks.createWebhook, { body: fieldsIn(form) })
  if (!made.ok) return misread(made.problem, form)
  return { made: await onceFor(made.body, true) }
}

export async function saveWebhook(_before: FormState, form: FormData): Promise<FormState> {
  const body = { ...fieldsIn(form), enabled: textOf(form, 'enabled') === 'yes' }
  const version = textOf(form, 'version')
  const asked = { params: paramsIn(form), body, version }
  const saved = await sendForm(form, webhooks.changeWebhook, asked, 'webhook')
  return saved.refused ?? redirect(`${pageIn(form)}?done=saved`)
}

export async function rotateSecret(
  _before: FormState,
  form: FormData,
): Promise<FormState<NewSecret>> {
  const api = await adminApi()
  const body = { overlapHours: numberOf(form, 'overlap') }
  const made = await api.send(webhooks.rotateWebhookSecret, { params: paramsIn(form), body })
  if (!made.ok) {
    const { problems } = (await currentMessages()).admin
    return refused(made.problem, form, problems, { overlapHours: 'overlap' }, problems.own.webhook)
  }
  return { made: await onceFor(made.body, false) }
}

export async function deleteWebhook(_before: FormState, form: FormData): Promise<FormState> {
  const version = textOf(form, 'version')
  const gone = await sendNamed(form, webhooks.deleteWebhook, { params: paramsIn(form), version })
  return gone.refused ?? redirect('/admin/webhooks?done=deleted')
}

export async function sendTest(form: FormData): Promise<void> {
  return press(testWebhook, { params: paramsIn(form) }, pageIn(form), 'tested', 'refusedWebhook')
}

export async function resend(form: FormData): Promise<void> {
  const params = { ...paramsIn(form), delivery: textOf(form, 'delivery') }
  return press(resendDelivery, { params }, pageIn(form), 'resent', 'refusedWebhook')
}

async function misread(problem: ApiProblem, form: FormData) {
  const { problems } = (await currentMessages()).admin
  return refused(problem, form, problems, {}, problems.own.webhook)
}
