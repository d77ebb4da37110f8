import { z } from 'zod'
import { mixesAlphabets } from '../../base/alphabets'
import { isPlainText } from '../../base/plain-text'
import { locales, messagesFor } from '../../i18n'
import { errorMessage, ruleFor } from '../../i18n/error-message'
import { NOT_PLAIN } from '../http/schemas'

/**
 * One line that an application says on the sign-in and consent pages. Users trust these pages, so
 * the line cannot look like the portal's own words: no marks, no addresses, none of its statements
 * about an application (attack N17). The pages also say whose line it is.
 */

const MAX_BRAND_TEXT_LENGTH = 200

/** Check marks, shields and locks; the signs for rights are only letters in a circle. */
const MARK = /(?![©®™])[\p{So}\p{Extended_Pictographic}√]/u
const WORD = /\p{L}+/gu

const STATEMENTS = locales.flatMap((locale) => {
  const { verified, unverified } = messagesFor(locale).consent
  return [verified, unverified]
})

/** The first part of a text that looks like something else than the application's own words. */
export function imitationIn(text: string): string | null {
  const plain = text.normalize('NFKC')
  const said = plain.toLowerCase()
  const statement = STATEMENTS.find((one) => said.includes(one.toLowerCase()))
  const disguised = plain.match(WORD)?.find(mixesAlphabets)
  return statement ?? disguised ?? MARK.exec(plain)?.[0] ?? plain.split(' ').find(isAddress) ?? null
}

/** With or without a scheme; the name of a host alone can be a name. */
const ADDRESS = /:\/\/|www\.|[\p{L}\p{N}]\.\p{L}{2,}(?::\d|[/?#])/iu

function isAddress(word: string): boolean {
  return ADDRESS.test(word)
}

/** Whether a name contains that of the portal, however it is written. */
export function resembles(name: string, portal: string): boolean {
  const own = lettersOf(portal)
  if (own.length >= MIN_PART_LENGTH || /[^a-z0-9]/.test(own)) return lettersOf(name).includes(own)
  return own !== '' && name.split(/[^\p{L}\p{N}]+/u).some((word) => lettersOf(word) === own)
}

/** A shorter name in Latin letters is a part of too many other names. */
const MIN_PART_LENGTH = 4

/** Without case, accents, spaces and signs. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

const lineSchema = z
  .string()
  .min(1)
  .max(MAX_BRAND_TEXT_LENGTH)
  .refine(isPlainText, NOT_PLAIN)
  .superRefine((text, { addIssue }) => {
    const part = imitationIn(text)
    if (part !== null) addIssue(ruleFor(errorMessage('portal_words', { part })))
  })

/** A language may be left out. */
export const brandTextSchema = z.partialRecord(z.enum(locales), lineSchema)
