import type { Part } from '../arena'
import { fullDisk } from './disk'
import { outage } from './outage'

/** What happens around the portal: its database goes away, its disk is full. */
export const weather: Part = async (arena) => [
  await outage(arena),
  ...(arena.kind === 'sqlite' ? [await fullDisk(arena)] : []),
]
