import type { dictionary } from './en'
import type { failure } from './en/failure'
import type { refusedForm } from './en/refused-form'

export type Messages = typeof dictionary

/**
 * What the product knows about a language: its name in itself, and its words. The dictionary is
 * loaded on demand, because error pages in the browser need only `failure`, and proxy.ts needs only
 * `refusedForm`.
 */
export type Language = {
  name: string
  direction: 'ltr' | 'rtl'
  /** Subtags that name another way to write this language: `tw` is not for `zh-Hans`. */
  notFor?: readonly string[]
  failure: typeof failure
  refusedForm: typeof refusedForm
  load: () => Promise<Messages>
}
