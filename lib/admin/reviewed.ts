import type { Diff } from '../api/model'
import type { ImpactWire } from '../api/routes/impact'

/** What a form shows before it is sent for good. */

export type Reviewed = { impact: ImpactWire; digest: string }
export type Diffed = { diff: Diff; digest: string }

/** The field in which a form says which change its sender has seen. */
export const REVIEWED = 'reviewed'
