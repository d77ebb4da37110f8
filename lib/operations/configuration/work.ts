import type { Op } from '../../context/op'
import { differences } from './differences'
import type { Answer, Operator, Thing } from './operator'
import type { Configuration, Pruned, SecretReference } from './schema'

/** What every step of applying a document works with. */
export type Work = {
  op: Op
  api: Operator
  wanted: Configuration
  prunes(kind: Pruned): boolean
  say(line: string): void
  secretOf(reference: SecretReference): string
}

/** Of which kind a thing is, what it is called, and what the document says of it. */
type Wanted = { noun: string; name: string; fields: Thing }

type Ways = {
  found: Thing | null
  create(): Promise<Answer>
  /** Given what differs, and nothing else. */
  change(changed: Thing): Promise<Answer>
}

/** Made where it is not there, changed where it differs, left alone where it does not. */
export async function reconcile(
  work: Work,
  { noun, name, fields }: Wanted,
  { found, create, change }: Ways,
): Promise<Thing> {
  if (!found) {
    work.say(`+ ${noun} ${name}`)
    return (await create()).body
  }
  const { changed, said } = differences(found, fields)
  if (said.length === 0) return found
  work.say(`~ ${noun} ${name}: ${said.join(', ')}`)
  return (await change(changed)).body
}

export async function remove(work: Work, noun: string, name: string, path: string): Promise<void> {
  work.say(`- ${noun} ${name}`)
  await work.api.send(`${noun} ${name}`, 'DELETE', path)
}

export function segment(name: unknown): string {
  return encodeURIComponent(String(name))
}
