import type { Op } from '../../context/op'
import { differences } from './differences'
import type { Operator, Thing } from './operator'
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

type Ways<Found> = {
  found: Found | null
  create(): Promise<unknown>
  /** Given what differs, and nothing else. */
  change(changed: Thing, found: Found): Promise<unknown>
}

/** Made where it is not there, changed where it differs, left alone where it does not. */
export async function reconcile<Found extends object>(
  work: Work,
  { noun, name, fields }: Wanted,
  { found, create, change }: Ways<Found>,
): Promise<void> {
  if (!found) {
    work.say(`+ ${noun} ${name}`)
    await create()
    return
  }
  const { changed, said } = differences(found, fields)
  if (said.length === 0) return
  work.say(`~ ${noun} ${name}: ${said.join(', ')}`)
  await change(changed, found)
}
