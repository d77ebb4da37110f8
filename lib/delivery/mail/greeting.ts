import { cleanName } from '../../base/name'
import type { Messages } from '../../i18n'
import { fill } from '../../i18n/fill'

/**
 * Whoever registers with the address of somebody else chooses the name in the greeting. So a mail
 * greets by name only if the name cannot be anything else: a few words of letters on one line,
 * without characters that an address or a sentence needs. Otherwise it greets without a name.
 */

const MAX_LENGTH = 60
const MAX_WORDS = 5
const MAX_DIGITS = 4
/** In scripts without spaces, a longer text is a sentence. */
const MAX_UNSPACED = 8

const INITIALS = '(?:\\p{L}\\p{M}*\\.)+'
const WORD = "[\\p{L}\\p{M}\\p{Nd}\\u200c\\u200d'’ʼ·・-]+\\.?"
const NAME = new RegExp(
  `^(?:${INITIALS}|${WORD})(?: (?:${INITIALS}|${WORD})){0,${MAX_WORDS - 1}}$`,
  'u',
)
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

type Greetings = Pick<Messages['mail']['letters'], 'hello' | 'helloUnknown'>

export function greetingOf({ hello, helloUnknown }: Greetings, name: string | null): string {
  const clean = cleanName(name ?? '')
  return isOnlyName(clean) ? fill(hello, { name: clean }) : helloUnknown
}

/**
 * The name of an application if it cannot be anything else; otherwise its ID, which nobody can
 * choose freely.
 */
export function applicationIn({ id, name }: { id: string; name: string }): string {
  const clean = cleanName(name)
  return isOnlyName(clean) ? clean : id
}

export function isOnlyName(name: string): boolean {
  return (
    [...name].length <= MAX_LENGTH &&
    NAME.test(name) &&
    countOf(name, /\p{Nd}/gu) <= MAX_DIGITS &&
    countOf(name, UNSPACED) <= MAX_UNSPACED
  )
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}
