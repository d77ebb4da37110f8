import {
  attributesRead,
  ConditionError,
  compileCondition,
  KEPT_CHARACTERS,
} from '../access/condition'
import { eachInTurn } from '../access/turns'
import type { Op } from '../context/op'
import { mistake } from '../i18n/mistake'
import { attributeKeys } from '../settings/model'
import { invalidField, Problem } from './problem'

/** A document may contain thousands of conditions, and compiling each of them takes time. */

/** The members that contain one. */
const CONDITIONS = new Set(['condition', 'askers', 'autoApprove', 'autoRefuse'])

/** Each condition with the place where it stands first. */
export function conditionsIn(
  value: unknown,
  found = new Map<string, string>(),
  at = '',
): Map<string, string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, member] of Object.entries(value)) {
    const here = `${at}/${name}`
    if (!CONDITIONS.has(name) || typeof member !== 'string') conditionsIn(member, found, here)
    else if (!found.has(member)) found.set(member, here)
  }
  return found
}

/**
 * Compiles the conditions in advance and caches them. Mistakes are reported later, by the schema.
 */
export async function compileInTurns(sources: readonly string[]): Promise<void> {
  const characters = sources.reduce((sum, source) => sum + source.length, 0)
  if (characters > KEPT_CHARACTERS) {
    throw new Problem('invalid', mistake('conditions_long', { maximum: String(KEPT_CHARACTERS) }))
  }
  await eachInTurn(sources, compileQuietly)
}

function compileQuietly(source: string): void {
  try {
    compileCondition(source)
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
  }
}

/** A condition on an attribute that conditions cannot read would never be met. */
export function requireReadable(op: Op, body: unknown): void {
  const { hidden } = attributeKeys(op.settings.known())
  if (hidden.size === 0) return
  for (const [source, pointer] of conditionsIn(body)) {
    const read = [...attributesRead(source)].find((key) => hidden.has(key))
    if (read === undefined) continue
    throw invalidField(pointer, mistake('condition_hidden', { key: read }))
  }
}
