import type { Language } from '../language'
import { failure } from './failure'
import { refusedForm } from './refused-form'

export const language: Language = {
  name: '简体中文',
  direction: 'ltr',
  // These are written in traditional characters.
  notFor: ['hant', 'tw', 'hk', 'mo'],
  failure,
  refusedForm,
  load: async () => (await import('.')).dictionary,
}
