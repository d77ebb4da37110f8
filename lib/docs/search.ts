import type { Section } from './document'

/**
 * Which sections have all words that are asked for? Runs on the server and in the browser, over the
 * same list of sections, which the build makes.
 */

export type Hit = { href: string; document: string; heading: string; excerpt: string }

const MAX_HITS = 20
const MAX_QUESTION_LENGTH = 100
const EXCERPT_BEFORE = 60
const EXCERPT_LENGTH = 180
/** Where a word was found, and what that is worth. A whole word of a heading is what is looked for. */
const WORTH = { heading: 30, title: 12, partOfHeading: 8, word: 5, wordStart: 3, within: 1 }
/** Words of a question that say nothing about the answer. */
const SMALL = new Set(
  'a an and are as can could do does for from get has have how i in is it its make my of on or our set the this to up use we what when where which why with you your'.split(
    ' ',
  ),
)

export function search(sections: readonly Section[], question: string): Hit[] {
  const words = wordsOf(question)
  if (words.length === 0) return []
  return sections
    .map((section, place) => ({ section, place, worth: worthOf(section, words) }))
    .filter(({ worth }) => worth > 0)
    .sort(
      (a, b) =>
        Number(a.section.isLast ?? false) - Number(b.section.isLast ?? false) ||
        b.worth - a.worth ||
        a.place - b.place,
    )
    .slice(0, MAX_HITS)
    .map(({ section }) => toHit(section, words))
}

function wordsOf(question: string): string[] {
  const asked = question
    .slice(0, MAX_QUESTION_LENGTH)
    .toLowerCase()
    .replace(/[?!]+(\s|$)/g, '$1')
  const words = [...new Set(asked.split(/\s+/).filter(Boolean))]
  const telling = words.filter((word) => !SMALL.has(word))
  return telling.length > 0 ? telling : words
}

/** 0 if a word is missing. */
function worthOf({ document, heading, text }: Section, words: readonly string[]): number {
  const [title, head, body] = [document.toLowerCase(), heading.toLowerCase(), text.toLowerCase()]
  const each = words.map(
    (word) =>
      (title.includes(word) ? WORTH.title : 0) +
      (isAWord(head, word) ? WORTH.heading : head.includes(word) ? WORTH.partOfHeading : 0) +
      worthInText(body, word),
  )
  // The title alone would find every section of a document.
  const isHere = words.some((word) => head.includes(word) || body.includes(word))
  return isHere && each.every((worth) => worth > 0) ? each.reduce((sum, one) => sum + one, 0) : 0
}

/** Also in the plural, and within punctuation: `CORS` in “Browser origins (CORS)”. */
function isAWord(heading: string, word: string): boolean {
  return heading.split(/[^\p{L}\p{N}_:.-]+/u).some((one) => one === word || one === `${word}s`)
}

function worthInText(text: string, word: string): number {
  let worth = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const begins = !isLetter(text[at - 1])
    if (begins && !isLetter(text[at + word.length])) return WORTH.word
    worth = Math.max(worth, begins ? WORTH.wordStart : WORTH.within)
  }
  return worth
}

function isLetter(character = ' '): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

function toHit({ href, document, heading, text }: Section, words: readonly string[]): Hit {
  const low = text.toLowerCase()
  const places = words.map((word) => low.indexOf(word)).filter((place) => place >= 0)
  const first = Math.max(0, Math.min(...places, text.length) - EXCERPT_BEFORE)
  const from = places.length === 0 ? 0 : wordBoundary(text, first)
  const isCut = from + EXCERPT_LENGTH < text.length
  const piece = text.slice(from, from + EXCERPT_LENGTH)
  const whole = isCut ? piece.replace(/\S*$/, '') : piece
  const excerpt = whole.replace(/\s+/g, ' ').trim()
  return {
    href,
    document,
    heading,
    excerpt: `${from > 0 ? '… ' : ''}${excerpt}${isCut ? ' …' : ''}`,
  }
}

function wordBoundary(text: string, place: number): number {
  return place === 0 ? 0 : text.indexOf(' ', place) + 1
}
