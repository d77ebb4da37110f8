'use server'

import { redirect } from 'next/navigation'
import { type PictureSaved, removePicture, savePicture } from '@/lib/accounts/avatar'
import { requestOrigin, requireUserOrImpersonator } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type PictureState = {
  problem?: Extract<PictureSaved, { ok: false }>['problem']
  retryAfterSeconds?: number
}

export async function uploadPicture(_before: PictureState, form: FormData): Promise<PictureState> {
  const session = await requireUserOrImpersonator()
  const file = form.get('picture')
  const sent = file instanceof File ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0)
  const saved = await savePicture(await op(), session, sent, await requestOrigin())
  if (!saved.ok) return saved
  redirect('/account?done=picture')
}

export async function dropPicture(): Promise<void> {
  const session = await requireUserOrImpersonator()
  const removed = await removePicture(await op(), session, await requestOrigin())
  redirect(`/account?done=${removed ? 'pictureRemoved' : 'gone'}`)
}
