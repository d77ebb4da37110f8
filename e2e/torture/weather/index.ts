import type { Arena, Part } from '../arena'
import type { Line } from '../report'
import { fullDisk } from './disk'
import { fileGone, fileReplaced, readOnly, serverRestarts } from './faults'
import { outage } from './outage'
import { standstill } from './standstill'

/**
 * What happens around the portal: its database goes away, restarts or can only be read, its file is
 * deleted or replaced, its disk is full, its machine stops.
 */
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
    'read-only': readOnly,
    ...(kind === 'sqlite' && { disk: fullDisk, gone: fileGone, replaced: fileReplaced }),
    ...(kind === 'postgres' && { restart: serverRestarts }),
    ...(!quick && { standstill }),
  }
}
