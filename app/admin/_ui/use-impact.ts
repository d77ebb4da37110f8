'use client'

import { useEffect, useState } from 'react'
import type { ImpactPreview } from '@/lib/admin/reviewed'
import type { ImpactWire } from '@/lib/api/impact/routes'
import { nextImpact } from './impact-actions'

const MAX_LISTED = 200

/** `first`: only the first part is there; without scripts it stays so. */
type Running = { impact: ImpactWire; state: 'first' | 'running' | 'stopped' | 'failed' | 'done' }

/** A preview comes in parts: this asks for one after the other until it is complete or stopped. */
export function useImpact({ impact: first, space, change }: ImpactPreview) {
  const [{ impact, state }, setRunning] = useState<Running>(() => begin(first, 'first'))
  useEffect(() => setRunning(begin(first, 'running')), [first])
  const { next } = impact
  useEffect(() => {
    if (state !== 'running' || next === null) return
    let isCurrent = true
    nextImpact(space, change, next)
      .catch(() => null)
      .then((part) => {
        if (isCurrent) setRunning((before) => (part ? joined(before, part) : failed(before)))
      })
    return () => {
      isCurrent = false
    }
  }, [state, next, space, change])
  const stop = () => setRunning((before) => ({ ...before, state: 'stopped' }))
  return { impact, state, stop }
}

function begin(impact: ImpactWire, state: 'first' | 'running'): Running {
  return { impact, state: impact.next === null ? 'done' : state }
}

function failed({ impact }: Running): Running {
  return { impact, state: 'failed' }
}

function joined({ impact, state }: Running, part: ImpactWire): Running {
  const both: ImpactWire = {
    ...part,
    affected: [...impact.affected, ...part.affected].slice(0, MAX_LISTED),
    total: impact.total + part.total,
    liveTokens: impact.liveTokens + part.liveTokens,
  }
  return { impact: both, state: part.next === null ? 'done' : state }
}
