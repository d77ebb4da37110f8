import { cleanText } from './plain-text'

const MAX_NAME_LENGTH = 100

export type NameProblem = 'name_missing' | 'name_long'

/** The name of a user as it will be stored. */
export function cleanName(input: string): string {
  return cleanText(input.normalize('NFKC'))
}

export function nameProblem(name: string): NameProblem | null {
  if (name === '') return 'name_missing'
  return name.length > MAX_NAME_LENGTH ? 'name_long' : null
}
