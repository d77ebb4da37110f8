import type { Part } from './arena'
import { changes } from './changes/index'
import { crashes } from './crashes/index'
import { freshness } from './freshness/index'
import { fuzz } from './fuzz/index'
import { history } from './history/index'
import { load } from './load/index'
import { races } from './races/index'
import { ranks } from './ranks/index'
import { standstill } from './standstill/index'
import { weather } from './weather/index'

/** Everything that `npm run torture` knows; each runs on each database. */
export const parts: Record<string, Part> = {
  races,
  crashes,
  history,
  freshness,
  changes,
  weather,
  load,
  standstill,
  fuzz,
  ranks,
}
