'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import * as signingKeys from '@/lib/api/routes/signing-keys'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { shortKid } from './short-kid'

export async function stageKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const body = { alg: textOf(form, 'alg') }
  const staged = await api.send(signingKeys.stageSigningKey, { body })
  if (!staged.ok) return refused(staged.problem, form, problems)
  redirect('/admin/keys?done=keyStaged')
}

export async function rotateKey(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const body = { alg: textOf(form, 'alg'), atOnce: textOf(form, 'atOnce') === 'yes' }
  const rotated = await api.send(signingKeys.rotateSigningKey, { body })
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
  const revoked = await api.send(signingKeys.revokeSigningKey, { params: { kid } })
  if (!revoked.ok) return refused(revoked.problem, form, problems)
  redirect('/admin/keys?done=keyRevoked')
}
