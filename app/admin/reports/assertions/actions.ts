'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, type ApiResult, adminApi, withQuery } from '@/lib/admin/api'
import { type Choice, chosenIn } from '@/lib/admin/choice'
import {
  type AssertionWire,
  listAssertions,
  replaceAssertions,
  runAssertions,
} from '@/lib/api/permissions/assertions'
import { jsonObject } from '@/lib/base/json-text'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

type Given = Pick<AssertionWire, 'question' | 'expected'>

export async function runAll(form: FormData): Promise<void> {
  const api = await adminApi()
  const space = textOf(form, 'space')
  const run = await api.send(runAssertions, { params: { space } })
  redirect(pageOf(space, run.ok ? 'assertionsRun' : 'refused'))
}

/** A new one, or the one that `id` names. */
export async function saveAssertion(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin, choose } = await currentMessages()
  const { problems, access } = admin
  const subject = await chosenIn(api, 'subject', form, 'subject', choose)
  if (subject.mistake) return mistaken(form, subject.mistake)
  const given = assertionIn(form, subject.found)
  if (!given) return mistaken(form, { field: 'context', text: access.context.propertiesWrong })
  const id = textOf(form, 'id')
  const saved = await replace(api, form, (all) =>
    id === '' ? [...all, given] : all.map((one) => (one.id === id ? given : one)),
  )
  if (!saved.ok) {
    return refused(onlyField(saved.problem), form, problems, FIELDS, problems.own.assertion)
  }
  redirect(pageOf(textOf(form, 'space'), 'assertionSaved'))
}

export async function deleteAssertion(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const id = textOf(form, 'id')
  const gone = await replace(api, form, (all) => all.filter((one) => one.id !== id))
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect(pageOf(textOf(form, 'space'), 'assertionDeleted'))
}

const FIELDS = { user: 'subject', client: 'subject', resource: 'instance' }

/** The list is replaced as it was seen: whoever was faster is not overwritten. */
async function replace(
  api: AdminApi,
  form: FormData,
  work: (all: AssertionWire[]) => Given[],
): Promise<ApiResult<unknown>> {
  const params = { space: textOf(form, 'space') }
  const all = await api.get(listAssertions, { params })
  const assertions = work(all.assertions).map(({ question, expected }) => ({
    question,
    expected,
  }))
  const version = textOf(form, 'version')
  return api.send(replaceAssertions, { params, body: { assertions }, version })
}

/** `/assertions/3/question/permission` is the field `permission` here. */
function onlyField(problem: Extract<ApiResult<never>, { ok: false }>['problem']) {
  if (!problem.errors) return problem
  const errors = problem.errors.map((error) => ({
    ...error,
    pointer: error.pointer.replace(/^\/assertions\/\d+\/(question\/)?/, '/'),
  }))
  return { ...problem, errors }
}

/** Null where the context is no JSON object. */
function assertionIn(form: FormData, { kind, id }: Choice): Given | null {
  const text = (name: string) => textOf(form, name).trim()
  // What is in it is checked by the operation.
  const context: object | null = text('context') === '' ? {} : jsonObject(text('context'))
  if (context === null) return null
  return {
    question: {
      ...(kind === 'application' || /^ak_/.test(id) ? { client: id } : { user: id }),
      permission: text('permission'),
      ...(text('instance') !== '' && { resource: { id: text('instance') } }),
      ...(text('context') !== '' && { context }),
    },
    expected: text('expected') === 'yes',
  }
}

function pageOf(space: string, done: string): string {
  return withQuery('/admin/reports/assertions', { space, done })
}
