import type { Language } from '../language'
import { failure } from './failure'
import { frontDoor } from './front-door'

export const language: Language = {
  name: '简体中文',
  direction: 'ltr',
  // These are written in traditional characters.
  notFor: ['hant', 'tw', 'hk', 'mo'],
  failure,
  frontDoor,
  load: async () => (await import('.')).dictionary,
}
