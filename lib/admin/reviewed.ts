import type { ImpactChange } from '../api/impact-change'
import type { Diff } from '../api/model'
import type { ImpactWire } from '../api/routes/impact'

/** What a form shows before it is finally sent. */

/** `change` and its space: a long preview goes on with them. */
export type Reviewed = { impact: ImpactWire; digest: string; space: string; change: ImpactChange }
export type Diffed = { diff: Diff; digest: string }

/** The form field that says which change was reviewed. */
export const REVIEWED = 'reviewed'
