/** What the sides are called; goals name those that we are held against. */
export const NAMES = {
  floor: 'floor',
  kind: 'floor of the kind',
  memory: 'oidc-provider, memory',
  sqlite: 'oidc-provider, SQLite',
  betterAuth: 'better-auth, SQLite',
  next: 'a bare Next.js route',
  barePage: 'a bare Next.js page',
  password: 'a password alone',
  ours: 'Gatehouse, SQLite',
  oursOnPostgres: 'Gatehouse, PostgreSQL',
} as const
