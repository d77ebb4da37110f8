import type { Language } from '../language'
import { failure } from './failure'
import { frontDoor } from './front-door'

export const language: Language = {
  name: 'English',
  direction: 'ltr',
  failure,
  frontDoor,
  load: async () => (await import('.')).dictionary,
}
