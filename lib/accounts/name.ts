const LONGEST_NAME = 100

export type NameProblem = 'name_missing' | 'name_long'

/** What somebody wants to be called, as it will be kept. */
export function cleanName(input: string): string {
  return input
    .normalize('NFKC')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
}

export function nameProblem(name: string): NameProblem | null {
  if (name === '') return 'name_missing'
  return name.length > LONGEST_NAME ? 'name_long' : null
}
