import { LINKS } from '@/lib/base/branding'
import { currentMessages, currentSettings } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import type { Branding } from '@/lib/settings/model'
import type { FrameWords } from './portal-frame'
import { preferenceChoices } from './preference-choices'

export async function frameWords(): Promise<FrameWords> {
  const { frame, consent } = await currentMessages()
  const { branding } = await currentSettings()
  const { name } = branding
  return {
    name,
    home: fill(frame.home, { name }),
    skip: frame.skip,
    choices: await preferenceChoices(),
    ...logosOf(branding),
    ...linksOf(branding, { ...frame, ...consent }),
  }
}

/** The logos of the portal, if it has any. */
export function logosOf({ pictures: { light, dark } }: Branding) {
  return (light ?? dark) !== null && { logos: { light, dark } }
}

type Words = Messages['frame'] & Messages['consent']

function linksOf({ links }: Branding, { links: label, help, policy, terms }: Words) {
  const texts = { privacy: policy, terms, help }
  const all = LINKS.flatMap((name) => {
    const href = links[name]
    return href === null ? [] : [{ href, text: texts[name] }]
  })
  return all.length > 0 && { links: { label, all } }
}
