import { CONFUSABLES } from './confusables'

/**
 * What a text looks like: two texts with the same skeleton can be taken for each other (UTS 39 §4).
 * Case, accents, spaces and signs do not count.
 */
export function skeletonOf(text: string): string {
  // Capitals are looked up before they are lowered: Ν looks like N, but ν looks like v.
  const lowered = looksOf(text.normalize('NFKD')).toLowerCase()
  // I looks like l, so without case i does too.
  return looksOf(lowered).toLowerCase().replaceAll('i', 'l').replaceAll(NO_LETTER, '')
}

const NO_LETTER = /[^\p{L}\p{N}]/gu

/** The same, where digits and signs stand for letters: `G4tehou$e`. Unicode does not list these. */
export function skeletonWithSubstitutes(text: string): string {
  const written = [...text.normalize('NFKD')]
  return skeletonOf(written.map((char) => STANDS_FOR.get(char) ?? char).join(''))
}

const STANDS_FOR = new Map(
  Object.entries({
    2: 'z',
    3: 'e',
    4: 'a',
    5: 's',
    6: 'g',
    7: 't',
    8: 'b',
    9: 'g',
    '@': 'a',
    $: 's',
  }),
)

function looksOf(text: string): string {
  return [...text].map((char) => looks().get(char) ?? char).join('')
}

let known: ReadonlyMap<string, string> | undefined

/** Read when it is first needed. */
function looks(): ReadonlyMap<string, string> {
  known ??= new Map(CONFUSABLES.flatMap((line) => line.split('; ').flatMap(entriesOf)))
  return known
}

function entriesOf(group: string): [string, string][] {
  const [what = '', ...chars] = group.split(' ').map(textOf)
  return chars.map((char) => [char, what])
}

function textOf(codes: string): string {
  return String.fromCodePoint(...codes.split('+').map((code) => Number.parseInt(code, 16)))
}
