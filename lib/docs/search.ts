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
/** Where a word was found, and what that is worth. */
const WORTH = { title: 12, heading: 8, wordStart: 3, within: 1 }

export function search(sections: readonly Section[], question: string): Hit[] {
  const words = wordsOf(question)
  if (words.length === 0) return []
  return sections
    .map((section, place) => ({ section, place, worth: worthOf(section, words) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || a.place - b.place)
    .slice(0, MAX_HITS)
    .map(({ section }) => toHit(section, words))
}

function wordsOf(question: string): string[] {
  const words = question.slice(0, MAX_QUESTION_LENGTH).toLowerCase().split(/\s+/).filter(Boolean)
  return [...new Set(words)]
}

/** 0 if a word is missing. */
function worthOf({ document, heading, text }: Section, words: readonly string[]): number {
  const [title, head, body] = [document.toLowerCase(), heading.toLowerCase(), text.toLowerCase()]
  const each = words.map(
    (word) =>
      (title.includes(word) ? WORTH.title : 0) +
      (head.includes(word) ? WORTH.heading : 0) +
      (startsAWord(body, word) ? WORTH.wordStart : body.includes(word) ? WORTH.within : 0),
  )
  // The title alone would find every section of a document.
  const isHere = words.some((word) => head.includes(word) || body.includes(word))
  return isHere && each.every((worth) => worth > 0) ? each.reduce((sum, one) => sum + one, 0) : 0
}

function startsAWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true
  }
  return false
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
