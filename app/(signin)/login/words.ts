import { pick } from '@/lib/base/pick'
import type { Messages } from '@/lib/i18n'

/** What the browser gets of the words of this page: no more than it may have to show. */

export type WaitWords = Pick<Messages['login'], 'slowDownNext' | 'seconds' | 'minutes'>

export type PasskeyWords = ReturnType<typeof passkeyWords>
export function passkeyWords(words: Messages['login']) {
  return pick(words, 'lastUsed', 'slowDownNext', 'seconds', 'minutes', 'passkey')
}

export type PasswordWords = ReturnType<typeof passwordWords>
export function passwordWords(words: Messages['login']) {
  return {
    ...passkeyWords(words),
    ...pick(words, 'change', 'changeIdentifier', 'password', 'passwordMissing', 'submit'),
    ...pick(words, 'submitting', 'mismatch', 'mismatchNext', 'slowDown'),
  }
}

export type ToggleWords = ReturnType<typeof toggleWords>
export function toggleWords(words: Messages['common']) {
  return pick(words, 'showPassword', 'show', 'hide', 'capsLock')
}
