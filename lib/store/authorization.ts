import type { Authorization } from '../oidc/provider'
import { stringList } from './json'

/** The lists that a code and a grant of tokens share, as Json columns and back. */

type Lists = Pick<Authorization, 'scopes' | 'resources' | 'claims' | 'amr'>

export function writeLists({ scopes, resources, claims, amr }: Lists) {
  return { scopes: [...scopes], resources: [...resources], claims: [...claims], amr: [...amr] }
}

export function readLists(row: Record<keyof Lists, unknown>) {
  return {
    scopes: stringList(row.scopes),
    resources: stringList(row.resources),
    claims: stringList(row.claims ?? []),
    amr: stringList(row.amr),
  }
}
