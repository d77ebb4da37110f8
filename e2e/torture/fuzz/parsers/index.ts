import fc, { type IAsyncProperty } from 'fast-check'
import type { Op } from '../../../../lib/context/op'
import type { Tally } from '../../report'
import { redirectsAreExact, registrableAreSafe } from './addresses'
import { claimsAreRead } from './claims'
import { conditionsAreAnswered } from './conditions'
import { cursorsAreOurs } from './cursors'
import { basicIsRead, formsAreRead, scopesAreRead } from './text'
import { tokensAsJose } from './tokens'

/** What every parser holds to, whatever it is given; the same in a short run and in a long one. */

type Property = IAsyncProperty<never>

const properties: Record<string, (op: Op) => unknown> = {
  forms: formsAreRead,
  scopes: scopesAreRead,
  'Basic credentials': basicIsRead,
  'redirect addresses': redirectsAreExact,
  'addresses that may be registered': registrableAreSafe,
  'tokens, beside jose': tokensAsJose,
  'the claims parameter': claimsAreRead,
  conditions: conditionsAreAnswered,
  cursors: cursorsAreOurs,
}

export const PARSERS = Object.keys(properties)

/** Null, or what does not hold, with the smallest example. */
export async function faultIn(
  op: Op,
  name: string,
  run: { seed: number; numRuns: number },
): Promise<string | null> {
  const property = (await properties[name]?.(op)) as Property
  const found = await fc.check(property, run)
  if (!found.failed) return null
  return `${name}: ${found.errorInstance} for ${fc.stringify(found.counterexample)}, ${run.seed}`
}

export async function fuzzParsers(
  op: Op,
  run: { seed: number; numRuns: number },
  tally: Tally,
): Promise<void> {
  for (const name of PARSERS) {
    const fault = await faultIn(op, name, run)
    tally.check(fault === null, fault ?? '')
    tally.checks += run.numRuns - 1
    tally.rounds += 1
  }
}
