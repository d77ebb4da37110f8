'use server'

import { redirect } from 'next/navigation'
import { type ApiProblem, adminApi } from '@/lib/admin/api'
import { wordsIn } from '@/lib/admin/choice'
import { resendDelivery, testWebhook } from '@/lib/api/routes/webhook-deliveries'
import * as webhooks from '@/lib/api/routes/webhooks'
import { type FormState, mistaken, numberOf, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import type { Once } from '../applications/shown-once'

const paramsIn = (form: FormData) => ({ webhook: textOf(form, 'id') })
const pageIn = (form: FormData) => `/admin/webhooks/${encodeURIComponent(textOf(form, 'id'))}`

type WithSecret = { id: string; secret: string }

/** The secret is in this answer and nowhere else. */
async function onceFor({ id, secret }: WithSecret, isNew: boolean): Promise<Once> {
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

export async function createWebhook(_before: FormState, form: FormData): Promise<FormState<Once>> {
  const api = await adminApi()
  const made = await api.send(webhooks.createWebhook, { body: fieldsIn(form) })
  if (!made.ok) return misread(made.problem, form)
  return { made: await onceFor(made.body, true) }
}

export async function saveWebhook(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const body = { ...fieldsIn(form), enabled: textOf(form, 'enabled') === 'yes' }
  const version = textOf(form, 'version')
  const saved = await api.send(webhooks.changeWebhook, { params: paramsIn(form), body, version })
  if (!saved.ok) return misread(saved.problem, form)
  redirect(`${pageIn(form)}?done=saved`)
}

export async function rotateSecret(_before: FormState, form: FormData): Promise<FormState<Once>> {
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
  const api = await adminApi()
  const { problems, form: words } = (await currentMessages()).admin
  if (textOf(form, 'typed') !== textOf(form, 'name')) {
    return mistaken(form, { field: 'typed', text: words.typeNameWrong })
  }
  const version = textOf(form, 'version')
  const gone = await api.send(webhooks.deleteWebhook, { params: paramsIn(form), version })
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect('/admin/webhooks?done=deleted')
}

export async function sendTest(form: FormData): Promise<void> {
  const api = await adminApi()
  const sent = await api.send(testWebhook, { params: paramsIn(form) })
  redirect(`${pageIn(form)}?done=${sent.ok ? 'tested' : 'refusedWebhook'}`)
}

export async function resend(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { ...paramsIn(form), delivery: textOf(form, 'delivery') }
  const sent = await api.send(resendDelivery, { params })
  redirect(`${pageIn(form)}?done=${sent.ok ? 'resent' : 'refusedWebhook'}`)
}

async function misread(problem: ApiProblem, form: FormData) {
  const { problems } = (await currentMessages()).admin
  return refused(problem, form, problems, {}, problems.own.webhook)
}
