/**
 * Text that users type and others read: without invisible characters and without characters that
 * change the direction of text. Every name in the portal is checked here.
 */

/**
 * Invisible characters (Unicode's default ignorables and blanks) and those that control lines or
 * direction.
 */
const HIDDEN =
  '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\u2800\\ufff9-\\ufffb]'

/** In these scripts U+200C and U+200D join or separate letters. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
].map((script) => `\\p{Script_Extensions=${script}}`)
const JOINED = `[[\\p{L}\\p{M}]&&[${JOINING.join('')}]]`
const JOINED_MARK = `[\\p{M}&&[${JOINING.join('')}]]`

/** Invisible, but required by the spelling. */
const NEEDED = [
  `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`,
  `(?<=${JOINED_MARK})\\u200d`, // the final consonants of Malayalam
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]', // forms of a character in names
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
].join('|')

const NEEDED_OR_HIDDEN = new RegExp(`(${NEEDED})|${HIDDEN}`, 'gv')
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g

export function isPlainText(text: string): boolean {
  return withoutHidden(text) === text && text.isWellFormed()
}

/** One line, without the characters that would be refused. */
export function cleanText(text: string): string {
  return withoutHidden(text.toWellFormed().normalize('NFC').replaceAll(BREAKS, ' ')).trim()
}

function withoutHidden(text: string): string {
  return text.replaceAll(NEEDED_OR_HIDDEN, '$1')
}
