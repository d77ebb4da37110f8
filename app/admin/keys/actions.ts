'use server'

import { redirect } from 'next/navigation'
import { sendForm } from '@/lib/admin/form-call'
import * as signingKeys from '@/lib/api/settings/signing-keys'
import { type FormState, mistaken } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { shortKid } from './short-kid'

export async function stageKey(_before: FormState, form: FormData): Promise<FormState> {
  const body = { alg: textOf(form, 'alg') }
  const staged = await sendForm(form, signingKeys.stageSigningKey, { body })
  return staged.refused ?? redirect('/admin/keys?done=keyStaged')
}

export async function rotateKey(_before: FormState, form: FormData): Promise<FormState> {
  const body = { alg: textOf(form, 'alg'), atOnce: textOf(form, 'atOnce') === 'yes' }
  const rotated = await sendForm(form, signingKeys.rotateSigningKey, { body })
  return rotated.refused ?? redirect('/admin/keys?done=keyRotated')
}

export async function revokeKey(_before: FormState, form: FormData): Promise<FormState> {
  const { keys: words } = (await currentMessages()).admin
  const kid = textOf(form, 'kid')
  if (textOf(form, 'typed').trim() !== shortKid(kid)) {
    return mistaken(form, { field: 'typed', text: words.revoke.wrong })
  }
  const revoked = await sendForm(form, signingKeys.revokeSigningKey, { params: { kid } })
  return revoked.refused ?? redirect('/admin/keys?done=keyRevoked')
}
