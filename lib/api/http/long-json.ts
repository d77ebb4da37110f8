import { eachInTurn } from '../../access/turns'

/**
 * The text that `JSON.stringify` gives, for an object with a long list. Entries are written one by
 * one, so that other requests get their turn in between.
 */
export async function longJson(body: object): Promise<string> {
  const members: string[] = []
  for (const [name, value] of Object.entries(body)) {
    const text = Array.isArray(value) ? await longList(value) : JSON.stringify(value)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

async function longList(list: readonly unknown[]): Promise<string> {
  const entries = await eachInTurn(list, (entry) => JSON.stringify(entry) ?? 'null')
  return `[${entries.join(',')}]`
}
