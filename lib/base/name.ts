import { cleanText } from './plain-text'

const LONGEST_NAME = 100

export type NameProblem = 'name_missing' | 'name_long'

/** What somebody wants to be called, as it will be kept. */
export function cleanName(input: string): string {
  return cleanText(input.normalize('NFKC'))
}

export function nameProblem(name: string): NameProblem | null {
  if (name === '') return 'name_missing'
  return name.length > LONGEST_NAME ? 'name_long' : null
}
