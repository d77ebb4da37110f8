import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { collectNodeMetrics } from './event-loop-delay'

test('the delay of the event loop keeps its names, and what is not late is no delay', async () => {
  const registry = new Registry()
  collectNodeMetrics(registry)
  for (const reading of ['min', 'max', 'mean', 'p50', 'p90', 'p99']) {
    const metric = registry.getSingleMetric(`nodejs_eventloop_lag_${reading}_seconds`)
    expect((await metric?.get())?.values).toEqual([{ value: 0, labels: {} }])
  }
  const text = await registry.metrics()
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).toContain('nodejs_heap_size_total_bytes')
})
