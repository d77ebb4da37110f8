import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { collectNodeMetrics } from './event-loop-delay'

/** Prometheus metrics; names and labels are the operator's interface. */

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** The counters of the protocol. */
export type Meter = {
  tokenIssued(grantType: string): void
  scopeRefused(code: string): void
  login(result: string): void
  checked(allowed: boolean): void
}

/** What one process has counted, as it is sent to another. */
export type Readings = MetricObjectWithValues<MetricValue<string>>[]

export type Metrics = Meter & {
  requestAnswered(endpoint: string, status: number, seconds: number): void
  /** Both are codes of a table, so that there are few of them. */
  requestRefused(refusal: { error: string; reason: string }): void
  /** Of this process, or of all workers after `gatherBy`. */
  expose(): Promise<string>
  readings(): Promise<Readings>
  /**
   * With several workers: `gather` asks all of them, this one included. Counts and sizes are
   * summed, the delay of the event loop is averaged.
   */
  gatherBy(gather: () => Promise<Readings[]>): void
}

/** What a process keeps about users and clients; `reads`: statements that were needed so far. */
export type CacheFacts = { entries: number; bytes: number; reads: number }

export function createMetrics(cache: () => CacheFacts): Metrics {
  const registry = new Registry()
  collectNodeMetrics(registry)
  watchCache(registry, cache)
  const registers = [registry]
  const requests = counterIn(registry, 'gatehouse_requests_total', {
    help: 'Requests answered, by endpoint and status',
    labelNames: ['endpoint', 'status'],
  })
  const latency = new Histogram({
    name: 'gatehouse_request_seconds',
    help: 'Time to answer, by endpoint',
    labelNames: ['endpoint'] as const,
    buckets: LATENCY_BUCKETS,
    registers,
  })
  const tokens = counterIn(registry, 'gatehouse_tokens_total', {
    help: 'Access tokens issued, by grant type',
    labelNames: ['grant_type'],
  })
  const refusals = counterIn(registry, 'gatehouse_refusals_total', {
    help: 'Requests of the protocol refused, by error code and reason',
    labelNames: ['error', 'reason'],
  })
  const scopeRefusals = counterIn(registry, 'gatehouse_scopes_refused_total', {
    help: 'Scopes refused, by reason',
    labelNames: ['code'],
  })
  const logins = counterIn(registry, 'gatehouse_logins_total', {
    help: 'Sign-ins, by result',
    labelNames: ['result'],
  })
  const checks = counterIn(registry, 'gatehouse_permission_checks_total', {
    help: 'Permission checks, by answer',
    labelNames: ['allowed'],
  })
  new Gauge({
    name: 'gatehouse_workers',
    help: 'Server processes that answer behind the port',
    registers,
  }).set(1)
  countRestarts(registry)
  let expose = () => registry.metrics()
  return {
    requestAnswered(endpoint, status, seconds) {
      requests.inc({ endpoint, status })
      latency.observe({ endpoint }, seconds)
    },
    tokenIssued: (grant_type) => tokens.inc({ grant_type }),
    requestRefused: (refusal) => refusals.inc(refusal),
    scopeRefused: (code) => scopeRefusals.inc({ code }),
    login: (result) => logins.inc({ result }),
    checked: (allowed) => checks.inc({ allowed: String(allowed) }),
    expose: () => expose(),
    readings: () => registry.getMetricsAsJSON(),
    gatherBy(gather) {
      expose = async () => AggregatorRegistry.aggregate(await gather()).metrics()
    },
  }
}

function counterIn<const Label extends string>(
  registry: Registry,
  name: string,
  { help, labelNames }: { help: string; labelNames: readonly Label[] },
): Counter<Label> {
  return new Counter({ name, help, labelNames, registers: [registry] })
}

/** Whether CACHE_MEGABYTES is enough: then reads hardly grow. */
function watchCache(registry: Registry, facts: () => CacheFacts): void {
  const registers = [registry]
  new Gauge({
    name: 'gatehouse_cache_entries',
    help: 'Users and clients in the cache, those included that do not exist',
    registers,
    collect() {
      this.set(facts().entries)
    },
  })
  new Gauge({
    name: 'gatehouse_cache_bytes',
    help: 'Estimated size of the cache of users and clients',
    registers,
    collect() {
      this.set(facts().bytes)
    },
  })
  new Counter({
    name: 'gatehouse_cache_reads_total',
    help: 'Statements that read users or clients which were not in the cache',
    registers,
    collect() {
      this.reset()
      this.inc(facts().reads)
    },
  })
}

/** 0 in every worker; the primary counts. */
export function countRestarts(registry: Registry): Counter {
  return new Counter({
    name: 'gatehouse_worker_restarts_total',
    help: 'Workers that ended by themselves and were started again',
    registers: [registry],
  })
}

/**
 * What a worker that is gone leaves behind: a sum that became smaller would look like a restart to
 * Prometheus. A gauge tells of the present only.
 */
export function sumOfGone(gone: readonly Readings[]): Promise<Readings> {
  const counted = gone.map((readings) => readings.filter(({ type }) => !isGauge(type)))
  return AggregatorRegistry.aggregate(counted).getMetricsAsJSON()
}

/** prom-client names the type by its word, whatever its own types say. */
function isGauge(type: unknown): boolean {
  return type === 'gauge'
}
