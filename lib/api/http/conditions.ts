import {
  attributesRead,
  ConditionError,
  compileCondition,
  KEPT_CHARACTERS,
} from '../../access/condition'
import { eachInTurn } from '../../access/turns'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { attributeKeys } from '../../settings/model'
import { invalidField, Problem } from './problem'

/** A document may contain thousands of conditions, and compiling each of them takes time. */

/** The members that contain one. */
const CONDITIONS = new Set(['condition', 'askers', 'autoApprove', 'autoRefuse'])

type Path = (string | number)[]

/**
 * Each condition with the place where it stands first. A body may contain a million values, so
 * nothing is allocated for each: `path` is one list for all.
 */
export function conditionsIn(
  value: unknown,
  found = new Map<string, string>(),
  path: Path = [],
): Map<string, string> {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) findInMember(at, value[at], found, path)
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[name]
      if (typeof member !== 'string') findInMember(name, member, found, path)
      else if (CONDITIONS.has(name) && !found.has(member)) found.set(member, pointerTo(path, name))
    }
  }
  return found
}

function findInMember(
  name: string | number,
  member: unknown,
  found: Map<string, string>,
  path: Path,
): void {
  if (typeof member !== 'object' || member === null) return
  path.push(name)
  conditionsIn(member, found, path)
  path.pop()
}

function pointerTo(path: Path, name: string): string {
  return `/${[...path, name].join('/')}`
}

/**
 * Compiles the conditions in advance and caches them. Mistakes are reported later, by the schema.
 */
export async function compileInTurns(sources: readonly string[]): Promise<void> {
  const characters = sources.reduce((sum, source) => sum + source.length, 0)
  if (characters > KEPT_CHARACTERS) {
    throw new Problem(
      'invalid',
      errorMessage('conditions_long', { maximum: String(KEPT_CHARACTERS) }),
    )
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
    throw invalidField(pointer, errorMessage('condition_hidden', { key: read }))
  }
}
