import { Counter, Histogram, Registry } from 'prom-client'
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

export type Metrics = Meter & {
  requestAnswered(endpoint: string, status: number, seconds: number): void
  expose(): Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectNodeMetrics(registry)
  const registers = [registry]
  const requests = new Counter({
    name: 'gatehouse_requests_total',
    help: 'Requests answered, by endpoint and status',
    labelNames: ['endpoint', 'status'] as const,
    registers,
  })
  const latency = new Histogram({
    name: 'gatehouse_request_seconds',
    help: 'Time to answer, by endpoint',
    labelNames: ['endpoint'] as const,
    buckets: LATENCY_BUCKETS,
    registers,
  })
  const tokens = new Counter({
    name: 'gatehouse_tokens_total',
    help: 'Access tokens issued, by grant type',
    labelNames: ['grant_type'] as const,
    registers,
  })
  const refusals = new Counter({
    name: 'gatehouse_scopes_refused_total',
    help: 'Scopes refused, by reason',
    labelNames: ['code'] as const,
    registers,
  })
  const logins = new Counter({
    name: 'gatehouse_logins_total',
    help: 'Sign-ins, by result',
    labelNames: ['result'] as const,
    registers,
  })
  const checks = new Counter({
    name: 'gatehouse_permission_checks_total',
    help: 'Permission checks, by answer',
    labelNames: ['allowed'] as const,
    registers,
  })
  return {
    requestAnswered(endpoint, status, seconds) {
      requests.inc({ endpoint, status })
      latency.observe({ endpoint }, seconds)
    },
    tokenIssued: (grant_type) => tokens.inc({ grant_type }),
    scopeRefused: (code) => refusals.inc({ code }),
    login: (result) => logins.inc({ result }),
    checked: (allowed) => checks.inc({ allowed: String(allowed) }),
    expose: () => registry.metrics(),
  }
}
