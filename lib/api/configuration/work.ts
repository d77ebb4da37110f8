import type { z } from 'zod'
import type { Op } from '../../context/op'
import { differences } from './differences'
import type { Operator, Thing } from './operator'
import type { Configuration, PrunedKind, SecretReference } from './schema'

/** What every step of applying a configuration file needs. */
export type ApplyContext = {
  op: Op
  api: Operator
  wanted: Configuration
  prunes(kind: PrunedKind): boolean
  say(line: string): void
  /** `rule`: what the secret must look like. */
  secretOf(reference: SecretReference, rule?: z.ZodType<string>): string
}

/** The kind and name of an object, and its fields in the file. */
type Wanted = { noun: string; name: string; fields: Thing }

type Ways<Found> = {
  found: Found | null
  create(): Promise<unknown>
  /** Gets only the fields that differ. */
  change(changed: Thing, found: Found): Promise<unknown>
}

/** Creates the object if it is missing, changes it if it differs, otherwise leaves it. */
export async function reconcile<Found extends object>(
  work: ApplyContext,
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
