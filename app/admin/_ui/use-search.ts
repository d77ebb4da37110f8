import { useEffect, useState } from 'react'
import type { HitWire } from '@/lib/api/records/search'

const PAUSE_MILLISECONDS = 150

type Found = { q: string; hits: HitWire[]; failed: boolean }

const NOTHING: Found = { q: '', hits: [], failed: false }

/** Asks the API once nobody types any more; an answer to an older question is dropped. */
export function useSearch(q: string): {
  hits: HitWire[]
  state: 'idle' | 'searching' | 'failed'
} {
  const [found, setFound] = useState(NOTHING)
  useEffect(() => {
    if (q === '') return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await search(q, stop.signal)
      if (!stop.signal.aborted) setFound(answer)
    }, PAUSE_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [q])
  if (q === '') return { hits: [], state: 'idle' }
  if (found.q !== q) return { hits: [], state: 'searching' }
  return { hits: found.hits, state: found.failed ? 'failed' : 'idle' }
}

async function search(q: string, signal: AbortSignal): Promise<Found> {
  try {
    const response = await fetch(`/api/v1/search?${new URLSearchParams({ q })}`, { signal })
    if (!response.ok) return { q, hits: [], failed: true }
    return { q, hits: (await response.json()).data, failed: false }
  } catch {
    return { q, hits: [], failed: true }
  }
}
