/**
 * Passwords that are guessed first (NIST SP 800-63B-4 §3.1.1.2): those of known breaches, single
 * words and names, keyboard sequences, also with decoration; and the names of the user and the
 * portal. Checked without asking any service.
 */

const MIN_OWN_WORD_LENGTH = 2
const RUNS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm']

export async function isCommon(password: string): Promise<boolean> {
  const plain = folded(password)
  if (isRun(plain)) return true
  const known = await knownWords()
  return [plain, unitOf(plain)].some((text) => known.has(text) || known.has(undecorated(text)))
}

/** True if nothing is left without the user's own words; digits and marks are decoration. */
export function isOwn(password: string, own: readonly string[]): boolean {
  const letters = lettersOf(password)
  const left = wordsOf(own).reduce((text, word) => text.replaceAll(word, ''), letters)
  return letters !== '' && left === ''
}

function wordsOf(own: readonly string[]): string[] {
  const words = own.flatMap((text) => [text, ...text.split(/[^\p{L}\p{M}]+/u)]).map(lettersOf)
  const counted = words.filter((word) => word.length >= MIN_OWN_WORD_LENGTH)
  return counted.sort((a, b) => b.length - a.length)
}

function folded(password: string): string {
  return password.normalize('NFC').toLowerCase()
}

function lettersOf(text: string): string {
  return folded(text).replaceAll(/[^\p{L}\p{M}]/gu, '')
}

/** A guesser reads `!!Password2026` as `password`. */
function undecorated(text: string): string {
  return text.replaceAll(/^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu, '')
}

/** The repeated part, such as `letmein` of `letmeinletmein`; otherwise the whole text. */
function unitOf(text: string): string {
  const length = (text + text).indexOf(text, 1)
  return text.slice(0, length)
}

/** `345678901234567`, `qwertyuiopasdfg`, and the same backwards. */
function isRun(text: string): boolean {
  const backwards = [...text].reverse().join('')
  return RUNS.some((run) => {
    const endless = run.repeat(Math.ceil(text.length / run.length) + 1)
    return endless.includes(text) || endless.includes(backwards)
  })
}

let words: Promise<ReadonlySet<string>> | undefined

/** Read when the first user chooses a password, and kept. */
function knownWords(): Promise<ReadonlySet<string>> {
  words ??= readWords()
  return words
}

async function readWords(): Promise<ReadonlySet<string>> {
  const common = await import('@zxcvbn-ts/language-common')
  const english = await import('@zxcvbn-ts/language-en')
  const lists = [...Object.values(common.dictionary), ...Object.values(english.dictionary)]
  return new Set(lists.flat())
}
