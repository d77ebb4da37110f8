'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { newKeyIn, sendForm, sendNamed } from '@/lib/admin/form-call'
import { digestOf } from '@/lib/admin/impact'
import { type DiffPreview, REVIEWED } from '@/lib/admin/reviewed'
import { importModel } from '@/lib/api/permissions/model-routes'
import * as spaces from '@/lib/api/permissions/spaces'
import { parsedJson } from '@/lib/base/json-text'
import { errorText, type FormState, mistaken, refused, shownFirst } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export async function createSpace(_before: FormState, form: FormData): Promise<FormState> {
  const body = { ...spaceIn(form), key: newKeyIn(form) }
  const made = await sendForm(form, spaces.createSpace, { body }, 'space')
  return (
    made.refused ??
    redirect(`/admin/roles?space=${encodeURIComponent(made.body.key)}&done=spaceCreated`)
  )
}

export async function saveSpace(_before: FormState, form: FormData): Promise<FormState> {
  const input = { params: paramsIn(form), body: spaceIn(form), version: textOf(form, 'version') }
  const saved = await sendForm(form, spaces.changeSpace, input, 'space')
  return saved.refused ?? redirect(`${pageIn(form)}?done=spaceSaved`)
}

export async function deleteSpace(_before: FormState, form: FormData): Promise<FormState> {
  const version = textOf(form, 'version')
  const gone = await sendNamed(form, spaces.deleteSpace, { params: paramsIn(form), version })
  return gone.refused ?? redirect('/admin/roles/spaces?done=spaceDeleted')
}

/** First what would change, then the change. */
export async function replaceModel(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, spaces: words } = (await currentMessages()).admin
  const model = parsedJson(textOf(form, 'model'))
  if (typeof model !== 'object' || model === null) {
    return mistaken(form, { field: 'model', text: words.modelWrong })
  }
  const digest = digestOf(model)
  const seen = textOf(form, REVIEWED) === digest
  const answer = await api.send(importModel, {
    params: paramsIn(form),
    query: { dryRun: !seen },
    body: model, // whatever is in it: the operation looks at it
    version: textOf(form, 'version'),
  })
  if (!answer.ok) return refused(atModel(answer.problem, problems), form, problems)
  if (!seen) return shownFirst<DiffPreview>(form, { diff: answer.body.diff, digest })
  redirect(`${pageIn(form)}/model?done=modelReplaced`)
}

type Refusal = Parameters<typeof refused>[0]

/** One field for the whole document: the text says which part of it is meant. */
function atModel(problem: Refusal, words: Parameters<typeof errorText>[1]): Refusal {
  if (!problem.errors) return problem
  const errors = problem.errors.map((error) => {
    const values = { member: error.pointer, reason: errorText(error, words) }
    return { ...error, pointer: '/model', code: 'at_member', values } as const
  })
  return { ...problem, errors }
}

function paramsIn(form: FormData) {
  return { space: textOf(form, 'id') }
}

function pageIn(form: FormData): string {
  return `/admin/roles/spaces/${encodeURIComponent(textOf(form, 'id'))}`
}

function spaceIn(form: FormData) {
  return { name: textOf(form, 'name'), key: textOf(form, 'key').trim() }
}
