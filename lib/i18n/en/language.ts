import type { Language } from '../language'
import { failure } from './failure'
import { refusedForm } from './refused-form'

export const language: Language = {
  name: 'English',
  direction: 'ltr',
  failure,
  refusedForm,
  load: async () => (await import('.')).dictionary,
}
