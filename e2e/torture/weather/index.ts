import type { Arena, Part } from '../arena'
import type { Line } from '../report'
import { fullDisk } from './disk'
import { outage } from './outage'
import { standstill } from './standstill'

/** What happens around the portal: its database goes away, its disk is full, its machine stops. */
export const weather: Part = async (arena) => {
  const lines: Line[] = []
  for (const [what, happens] of Object.entries(of(arena))) {
    if (arena.wants(what)) lines.push(await happens(arena))
  }
  return lines
}

function of({ kind, quick }: Arena): Record<string, (arena: Arena) => Promise<Line>> {
  return {
    outage,
    ...(kind === 'sqlite' && { disk: fullDisk }),
    ...(!quick && { standstill }),
  }
}
