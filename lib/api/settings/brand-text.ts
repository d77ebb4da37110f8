import { z } from 'zod'
import { mixesAlphabets } from '../../base/alphabets'
import { isPlainText } from '../../base/plain-text'
import { skeletonOf, skeletonWithSubstitutes } from '../../base/skeleton'
import { locales } from '../../i18n'
import { everywhere } from '../../i18n/compiled/everywhere'
import { errorMessage, ruleFor } from '../../i18n/error-message'
import { NOT_PLAIN } from '../http/schemas'

/**
 * One line that an application says on the sign-in and consent pages. Users trust these pages, so
 * the line cannot look like the portal's own words: no marks, no addresses, none of its statements
 * about an application (attack N17). The pages also say whose line it is.
 */

const MAX_LINE_LENGTH = 200
export const MAX_TITLE_LENGTH = 60

/** Check marks, shields and locks; the signs for rights are only letters in a circle. */
const MARK = /(?![©®™])[\p{So}\p{Extended_Pictographic}√]/u
const WORD = /\p{L}+/gu

const STATEMENTS = locales.flatMap((locale) => {
  const { verified, unverified, belongs } = everywhere[locale].publisher
  return [verified, unverified, belongs]
})

/** The first part of a text that looks like something else than the application's own words. */
export function imitationIn(text: string): string | null {
  const plain = text.normalize('NFKC')
  const statement = STATEMENTS.find((one) => skeletonOf(text).includes(skeletonOf(one)))
  const disguised = plain.match(WORD)?.find(mixesAlphabets)
  return disguised ?? statement ?? MARK.exec(plain)?.[0] ?? plain.split(' ').find(isAddress) ?? null
}

/** With or without a scheme; the name of a host alone can be a name. */
const ADDRESS = /:\/\/|www\.|[\p{L}\p{N}]\.\p{L}{2,}(?::\d|[/?#])/iu

function isAddress(word: string): boolean {
  return ADDRESS.test(word)
}

/** Whether a name contains what looks like that of the portal (UTS 39 §4). */
export function resembles(name: string, portal: string): boolean {
  return [skeletonOf, skeletonWithSubstitutes].some((looks) => {
    const own = looks(portal)
    if (!isShort(portal)) return looks(name).includes(own)
    return own !== '' && name.split(BETWEEN_WORDS).some((word) => looks(word) === own)
  })
}

const BETWEEN_WORDS = /[^\p{L}\p{N}@$]+/u

/** A shorter name in Latin letters is a part of too many other names. */
const MIN_PART_LENGTH = 4

function isShort(portal: string): boolean {
  const letters = portal.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]/gu, '')
  return letters.length < MIN_PART_LENGTH && !/[^a-z0-9]/i.test(letters)
}

function lineSchema(longest: number) {
  return z
    .string()
    .min(1)
    .max(longest)
    .refine(isPlainText, NOT_PLAIN)
    .superRefine((text, { addIssue }) => {
      const part = imitationIn(text)
      if (part !== null) addIssue(ruleFor(errorMessage('portal_words', { part })))
    })
}

/** A language may be left out. */
export function brandTexts(longest: number) {
  return z.partialRecord(z.enum(locales), lineSchema(longest))
}

export const brandTextSchema = brandTexts(MAX_LINE_LENGTH)
