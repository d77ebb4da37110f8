import type { ImpactChange } from '../api/impact/change'
import type { ImpactWire } from '../api/impact/routes'
import type { Diff } from '../api/permissions/model'

/** What a form shows before it is finally sent. */

/** `change` and its space: a long preview goes on with them. */
export type ImpactPreview = {
  impact: ImpactWire
  digest: string
  space: string
  change: ImpactChange
}
export type DiffPreview = { diff: Diff; digest: string }

/** The form field that says which change was reviewed. */
export const REVIEWED = 'reviewed'
