/** Latin letters, and alphabets with letters that look like them. */
const LATIN = /\p{Script=Latin}/u
const LOOKALIKE = /\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}|\p{Script=Cherokee}/u

/** `аdmin` with a Cyrillic letter looks like another word. */
export function mixesAlphabets(word: string): boolean {
  return LATIN.test(word) && LOOKALIKE.test(word)
}
