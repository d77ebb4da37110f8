'use server'

import { type ApiResult, adminApi } from '@/lib/admin/api'
import { meantBy } from '@/lib/admin/choice'
import {
  groupRefusals,
  type RefusalsWire,
  type ReplayInput,
  type ReplayWire,
  replayDecisions,
} from '@/lib/api/replay/routes'
import { jsonObject } from '@/lib/base/json-text'
import { type FormState, mistaken, refused, shownFirst } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import type { PartAnswer } from './use-parts'

/** A draft and its first part. */
export type ReplayedDraft = { draft: ReplayInput; first: ReplayWire }

type Target = 'role' | 'application'

export async function startReplay(_before: FormState, form: FormData): Promise<FormState> {
  const { admin } = await currentMessages()
  const { replay: words } = admin.access
  const file = textOf(form, 'file').trim()
  const document = file === '' ? undefined : jsonObject(file)
  if (document === null) return mistaken(form, { field: 'file', text: words.fileBroken })
  const targets = (['role', 'application'] as const).filter(
    (one) => textOf(form, one).trim() !== '',
  )
  if (targets.length === 0 && document === undefined)
    return mistaken(form, { field: 'role', text: words.noTarget })
  const api = await adminApi()
  const changes = await Promise.all(targets.map((one) => changeOf(api, one, form)))
  const draft = {
    changes,
    ...(document && { file: document }),
    days: Number(textOf(form, 'days')) || 30,
  }
  const part = await api.send(replayDecisions, { body: draft as never })
  if (!part.ok) return refused(part.problem, form, admin.problems, FIELDS)
  // What was sent passed the schema of the operation.
  return shownFirst<ReplayedDraft>(form, {
    draft: draft as unknown as ReplayInput,
    first: part.body,
  })
}

const FIELDS = {
  change: 'role',
  'change/add': 'add',
  'change/remove': 'remove',
  changes: 'add',
  space: 'role',
}

async function changeOf(api: Awaited<ReturnType<typeof adminApi>>, target: Target, form: FormData) {
  const meant = await meantBy(api, target, textOf(form, target))
  const id = 'found' in meant ? meant.found.id : meant.text
  const patterns = (name: string) => textOf(form, name).split(/\s+/).filter(Boolean)
  return {
    kind: `adjust_${target}`,
    [target]: id,
    add: patterns('add').map((pattern) => ({ pattern })),
    remove: patterns('remove'),
  }
}

/** The next part of a replay. */
export async function nextReplay(
  draft: ReplayInput,
  after: string,
): Promise<PartAnswer<ReplayWire>> {
  const api = await adminApi()
  return partIn(await api.send(replayDecisions, { body: { ...draft, after } as never }))
}

export async function nextRefusals(days: number, after: string): Promise<PartAnswer<RefusalsWire>> {
  const api = await adminApi()
  return partIn(await api.send(groupRefusals, { body: { days, after } }))
}

function partIn<T>(part: ApiResult<T>): PartAnswer<T> {
  if (part.ok) return part.body
  return part.problem.code === 'slow_down' ? 'busy' : null
}
