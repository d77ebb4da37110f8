import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { countRestarts, type Readings, sumOfGone } from '../../base/metrics'
import type { Member } from './member'

/** What all workers have counted, those included that are gone. */

const ANSWER_MS = 1_000

export function readingsOf(members: ReadonlySet<Member>) {
  const latest = new Map<Member, Readings>()
  const waiting = new Map<Member, (() => void)[]>()
  const registry = new Registry()
  const restarts = countRestarts(registry)
  let gone: Readings = []
  let adding = Promise.resolve()

  function answered(member: Member): void {
    for (const resolve of waiting.get(member) ?? []) resolve()
    waiting.delete(member)
  }

  function read(member: Member): Promise<void> {
    return new Promise((resolve) => {
      waiting.set(member, [...(waiting.get(member) ?? []), resolve])
      member.tell({ tell: 'read' })
    })
  }

  async function add(member: Member): Promise<void> {
    const last = latest.get(member)
    if (!last) return
    gone = await sumOfGone([gone, last])
    latest.delete(member)
  }

  return {
    restarted: () => restarts.inc(),
    heard(member: Member, readings: Readings) {
      latest.set(member, readings)
      answered(member)
    },
    ended(member: Member) {
      answered(member)
      adding = adding.then(() => add(member))
    },
    /** One that does not answer in time counts with what it said last. */
    async gather(): Promise<Readings[]> {
      const asked = [...members].filter((member) => member.isListening()).map(read)
      const patience = new AbortController()
      const { signal } = patience
      await Promise.race([Promise.all(asked), sleep(ANSWER_MS, null, { signal }).catch(() => {})])
      patience.abort()
      await adding
      return [...latest.values(), gone, await registry.getMetricsAsJSON()]
    },
  }
}

export type AllReadings = ReturnType<typeof readingsOf>
