import type { Device } from '@/lib/base/device'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'

export function deviceName(
  { browser, system }: Device,
  words: Messages['account']['sessions'],
): string {
  return fill(words.device, {
    browser: browser ?? words.unknownBrowser,
    system: system ?? words.unknownSystem,
  })
}
