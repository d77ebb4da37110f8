'use client'

import { useEffect, useState } from 'react'

/** `first`: only the first part is there; without scripts it stays so. */
export type PartState = 'first' | 'running' | 'stopped' | 'failed' | 'done'

type Part = { next: string | null }
/** `busy`: other replays are running. Null if it can no longer be made. */
export type PartAnswer<T> = T | 'busy' | null

const BUSY_MS = 3_000

async function asked<T>(
  ask: () => Promise<PartAnswer<T>>,
  isCurrent: () => boolean,
): Promise<T | null> {
  for (;;) {
    const part = await ask().catch(() => null)
    if (part !== 'busy') return part
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS))
    if (!isCurrent()) return null
  }
}

type Running<T> = { sum: T; state: PartState }

/** A pass comes in parts: this asks for one after the other until it is complete or stopped. */
export function useParts<T extends Part>(
  first: T,
  ask: (after: string) => Promise<PartAnswer<T>>,
  join: (sum: T, part: T) => T,
) {
  const [{ sum, state }, setRunning] = useState<Running<T>>(() => begin(first, 'first'))
  useEffect(() => setRunning(begin(first, 'running')), [first])
  const { next } = sum
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ask` and `join` belong to `first`
  useEffect(() => {
    if (state !== 'running' || next === null) return
    let isCurrent = true
    asked(
      () => ask(next),
      () => isCurrent,
    ).then((part) => {
      if (!isCurrent) return
      setRunning((before) => {
        if (!part) return { ...before, state: 'failed' }
        const joined = join(before.sum, part)
        return { sum: joined, state: part.next === null ? 'done' : before.state }
      })
    })
    return () => {
      isCurrent = false
    }
  }, [state, next])
  const stop = () => setRunning((before) => ({ ...before, state: 'stopped' }))
  return { sum, state, stop }
}

function begin<T extends Part>(sum: T, state: 'first' | 'running'): Running<T> {
  return { sum, state: sum.next === null ? 'done' : state }
}
