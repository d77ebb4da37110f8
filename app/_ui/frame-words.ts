import { currentMessages, currentSettings } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import type { FrameWords } from './portal-frame'
import { preferenceChoices } from './preference-choices'

export async function frameWords(): Promise<FrameWords> {
  const { frame } = await currentMessages()
  const { name } = (await currentSettings()).branding
  const choices = await preferenceChoices()
  return { name, home: fill(frame.home, { name }), skip: frame.skip, choices }
}
