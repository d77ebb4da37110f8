'use server'

import { redirect } from 'next/navigation'
import { adminApi, withQuery } from '@/lib/admin/api'
import { cancelOutboxMessage, retryOutboxMessage } from '@/lib/api/delivery/outbox-messages'
import { textOf } from '@/lib/browser/form'

const PATH = '/admin/settings/outbox'

/** Back to the list as it was filtered. */
function backIn(form: FormData, done: string): string {
  return withQuery(PATH, { kind: textOf(form, 'kind'), state: textOf(form, 'state'), done })
}

const paramsIn = (form: FormData) => ({ message: textOf(form, 'message') })

export async function retry(form: FormData): Promise<void> {
  const api = await adminApi()
  const sent = await api.send(retryOutboxMessage, { params: paramsIn(form) })
  redirect(backIn(form, sent.ok ? 'outboxRetried' : 'outboxRefused'))
}

export async function cancel(form: FormData): Promise<void> {
  const api = await adminApi()
  const sent = await api.send(cancelOutboxMessage, { params: paramsIn(form) })
  redirect(backIn(form, sent.ok ? 'outboxCancelled' : 'outboxRefused'))
}
