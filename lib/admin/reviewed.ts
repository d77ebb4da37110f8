import type { Diff } from '../api/model'
import type { ImpactWire } from '../api/routes/impact'

/** What a form shows before it is finally sent. */

export type Reviewed = { impact: ImpactWire; digest: string }
export type Diffed = { diff: Diff; digest: string }

/** The form field that says which change was reviewed. */
export const REVIEWED = 'reviewed'
