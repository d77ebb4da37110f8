import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'

/**
 * prom-client looks at the event loop a hundred times a second, which alone takes a process that
 * does nothing 5 ms of CPU a second; and it counts its own 10 ms between two looks as delay. Here it
 * is looked at ten times a second, and only what was late counts. The names stay.
 */
const LOOK_EVERY_MS = 100
/** As long as a timer can wait: prom-client's own look, which cannot be left out. */
const HARDLY_EVER_MS = 2 ** 31 - 1

const READINGS = {
  min: ['The minimum', 'min', ({ min }: IntervalHistogram) => min],
  max: ['The maximum', 'max', ({ max }: IntervalHistogram) => max],
  mean: ['The mean', 'average', ({ mean }: IntervalHistogram) => mean],
  p50: ['The 50th percentile', 'average', (of: IntervalHistogram) => of.percentile(50)],
  p90: ['The 90th percentile', 'average', (of: IntervalHistogram) => of.percentile(90)],
  p99: ['The 99th percentile', 'average', (of: IntervalHistogram) => of.percentile(99)],
} as const

const nameOf = (reading: string) => `nodejs_eventloop_lag_${reading}_seconds`

/** The metrics of Node.js itself. */
export function collectNodeMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: HARDLY_EVER_MS })
  for (const reading of [...Object.keys(READINGS), 'stddev']) {
    register.removeSingleMetric(nameOf(reading))
  }
  const delays = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS })
  delays.enable()
  for (const [reading, [which, aggregator, read]] of Object.entries(READINGS)) {
    new Gauge({
      name: nameOf(reading),
      help: `${which} of the recorded event loop delays.`,
      aggregator,
      registers: [register],
      collect() {
        this.set(lateSeconds(read(delays)))
        // Asked for last: each time it is told of the delays since the last time.
        if (reading === 'p99') delays.reset()
      },
    })
  }
}

/** Nothing was recorded: a histogram without values has a mean that is no number. */
function lateSeconds(nanos: number): number {
  const late = nanos / 1e9 - LOOK_EVERY_MS / 1000
  return Number.isFinite(late) && nanos < Number.MAX_SAFE_INTEGER ? Math.max(0, late) : 0
}
