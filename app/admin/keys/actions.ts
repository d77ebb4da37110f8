'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { type FormState, mistaken, refused } from '@/lib/admin/form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { shortKid } from './short-kid'

export async function stageKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const staged = await api.sendPath('POST', '/signing-keys', { alg: textOf(form, 'alg') })
  if (!staged.ok) return refused(staged.problem, form, problems)
  redirect('/admin/keys?done=keyStaged')
}

export async function rotateKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const body = { alg: textOf(form, 'alg'), atOnce: textOf(form, 'atOnce') === 'yes' }
  const rotated = await api.sendPath('POST', '/signing-keys:rotate', body)
  if (!rotated.ok) return refused(rotated.problem, form, problems)
  redirect('/admin/keys?done=keyRotated')
}

export async function revokeKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, keys: words } = (await currentMessages()).admin
  const kid = textOf(form, 'kid')
  if (textOf(form, 'typed').trim() !== shortKid(kid)) {
    return mistaken(form, { field: 'typed', text: words.revoke.wrong })
  }
  const revoked = await api.sendPath('POST', `/signing-keys/${encodeURIComponent(kid)}/revoke`)
  if (!revoked.ok) return refused(revoked.problem, form, problems)
  redirect('/admin/keys?done=keyRevoked')
}
