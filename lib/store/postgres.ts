import { PrismaPg } from '@prisma/adapter-pg'

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 30_000

export function postgresAdapter(url: string): PrismaPg {
  return new PrismaPg({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    application_name: 'gatehouse',
  })
}
