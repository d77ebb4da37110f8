import type { NamesIn, NamesOf, Texts } from './text'

/** Words in English, which every other language follows. */
export function english<const Words>(words: Words): Texts<Words> {
  // `Texts` only adds to the type which placeholders a sentence has.
  return words as Texts<Words>
}

/**
 * Words in another language. They have the keys of the English words, and each sentence has the
 * placeholders of the English sentence: anything else does not compile.
 *
 *     export const front = translation<typeof english.front>()({ hello: '您好，{name}。' })
 */
export function translation<English>() {
  // The parameter has been checked against English, key by key.
  return <const Words>(words: Words & Checked<English, Words>) => words as unknown as English
}

type Checked<English, Words> = {
  readonly [Key in keyof English | keyof Words]: Key extends keyof English
    ? Key extends keyof Words
      ? CheckedMember<English[Key], Words[Key]>
      : Shape<English[Key]>
    : { 'English has no such key': Key }
}

type CheckedMember<English, Words> = English extends string
  ? Words extends string
    ? CheckedSentence<English, Words>
    : string
  : Checked<English, Words>

/** Where the placeholders differ, the name of this type is the error message. */
type CheckedSentence<English extends string, Sentence extends string> = [
  NamesOf<English>,
  NamesIn<Sentence>,
] extends [NamesIn<Sentence>, NamesOf<English>]
  ? Sentence
  : {
      'placeholders in English': Listed<NamesOf<English>>
      'placeholders here': Listed<NamesIn<Sentence>>
    }

type Listed<Name extends string> = [Name] extends [never] ? 'none' : `{${Name}}`

type Shape<English> = English extends string
  ? string
  : { readonly [Key in keyof English]: Shape<English[Key]> }
