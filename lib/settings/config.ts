import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { FAILPOINTS } from '../base/failpoint'
import { parsedJson } from '../base/json-text'
import { ProvidersError, readProviders, type UpstreamProvider } from './providers'
import { isSender, isSmtpUrl } from './smtp'

/**
 * The environment, parsed once. Each variable's `describe` text is its line in the table of
 * docs/configuration.md; a test compares them.
 */

const SECRET_MINIMUM = 32
const WEAK_SECRET = /^(.)\1*$|^(change.?me|secret|password|default|example|test)/i
const ISSUER_PATHS = ['', '/oidc']
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const MAX_WORKERS = 256

const commaList = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))

export const environment = z.object({
  ISSUER: z
    .string()
    .optional()
    .describe(
      'The public address of the portal: an origin such as `https://id.example.com`, or that origin with the path `/oidc`. It is the `iss` of every token, byte for byte. Default: `http://localhost:PORT`.',
    ),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(3000)
    .describe('The port to listen on. Default: 3000.'),
  HOST: z
    .string()
    .optional()
    .describe(
      'The address to listen on. Default: all addresses in production, otherwise loopback only.',
    ),
  DATABASE_URL: z
    .string()
    .regex(/^(file:|postgres(ql)?:\/\/)/, 'must start with file: or postgresql://')
    .refine(URL.canParse, 'is not a URL: percent-encode special characters of the password')
    .optional()
    .describe(
      '`file:PATH` for SQLite or `postgresql://...` for PostgreSQL. Default: `file:data/gatehouse.db`.',
    ),
  DATABASE_REPLICA_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgresql://')
    .refine(URL.canParse, 'is not a URL: percent-encode special characters of the password')
    .optional()
    .describe(
      'A streaming replica of the PostgreSQL at `DATABASE_URL`. Lists, searches, the audit log and reports are read from it. Unset: everything is read from `DATABASE_URL`.',
    ),
  DATA_DIR: z
    .string()
    .default('data')
    .describe(
      'The folder for the SQLite file, the development secret and demo.json. At every start its permissions are set so that only the system user who runs the portal can read it. Default: `data`.',
    ),
  WORKERS: z
    .string()
    .refine(isWorkers, `must be a whole number from 1 to ${MAX_WORKERS}, or auto`)
    .optional()
    .describe(
      'How many processes `npm start` runs behind the port: a number, or `auto` for as many as there are cores. With 1 there is no process beside it; see [Workers](operations/scale-out.md#workers). Default: 1 with SQLite, `auto` with PostgreSQL.',
    ),
  GATEHOUSE_SECRET: z
    .string()
    .optional()
    .describe(
      'The master secret, at least 32 characters. It encrypts private keys, keys the hashes of client secrets and protects cookies. Required in production; in development one is generated and kept in `DATA_DIR/secret` (mode 600).',
    ),
  GATEHOUSE_MODE: z
    .enum(['production', 'development'])
    .optional()
    .describe(
      '`production` or `development`. Default: production when `NODE_ENV=production`, on Vercel, or when `ISSUER` is not on this machine; otherwise development.',
    ),
  GATEHOUSE_CONFIG: z
    .string()
    .optional()
    .describe(
      'A configuration file that `npm start` applies before it accepts requests; see “Configuration as code”. An error in the file stops the start.',
    ),
  ALLOWED_HOSTS: commaList.describe(
    'Host names, comma-separated, that are answered in addition to the host of the issuer, for example inside a private network. Requests for other hosts get 421.',
  ),
  OUTBOUND_HOSTS: commaList.describe(
    'Hosts with their port, comma-separated, that the portal may call although they are private or use plain http: applications, webhooks, mail servers and providers on your own network.',
  ),
  REGISTRATION_OUTBOUND_HOSTS: commaList.describe(
    'The same for addresses that came with a client which registered itself, or with a client ID metadata document. Anybody can write those, so `OUTBOUND_HOSTS` never counts for them. Default: none.',
  ),
  GEOIP_FILE: z
    .string()
    .optional()
    .describe(
      'A file in MaxMind’s format (`.mmdb`) with countries or cities, such as GeoLite2 City. With it, sessions and security mails say where an IP address roughly is. A file that is replaced is read again. Unset: no place is shown.',
    ),
  BREACHED_PASSWORDS_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.pwnedpasswords.com/')
    .describe(
      'The service that new passwords are looked up in, if the setting `security.breachedPasswords` is on: Have I Been Pwned, or a mirror with the same range API. Default: https://api.pwnedpasswords.com/.',
    ),
  TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe(
      'The number of reverse proxies in front. That many entries of `X-Forwarded-For` and `X-Forwarded-Host` are trusted, counted from the right. Default: 0, and 1 on Vercel.',
    ),
  REFRESH_REPLAY_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60)
    .default(10)
    .describe(
      'For how many seconds a used refresh token returns its successor again, so that neither a lost response nor a second tab signs anybody out. [Security](security.md#a-refresh-token-that-is-used-twice) says to whom. 0 turns it off. At most 60. Default: 10.',
    ),
  CACHE_MEGABYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(16_384)
    .default(64)
    .describe(
      'How much memory each server process may use for what it has read about users and applications. More is read again from the database. Default: 64.',
    ),
  CLIENT_REQUESTS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(6)
    .optional()
    .describe(
      'How many token requests one client may make per minute, over all server processes, in bursts of up to ten seconds’ worth. Each process may exceed a burst by a twentieth. More requests get 429 with Retry-After. Default: 6000.',
    ),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(30)
    .optional()
    .describe(
      'After how many days entries of the audit log are removed, at least 30. On PostgreSQL a whole month goes at once, when its last day is that old. The rest of the log can still be verified. Default: everything is kept.',
    ),
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, 'must look like smtp://user:password@host:587 or smtps://...')
    .optional()
    .describe(
      'The mail server: `smtp://user:password@host:587` or `smtps://...`. With `smtp:`, STARTTLS is required before credentials are sent to another machine. Unset: mail is printed in development and off in production; `/readyz` reports which.',
    ),
  MAIL_FROM: z
    .string()
    .refine(isSender, 'must be one address, or a name and an address in <>')
    .optional()
    .describe(
      'The sender of mail: `id@example.com` or `Example ID <id@example.com>`. Required with `SMTP_URL`.',
    ),
  REGISTRATION: z
    .enum(['open', 'closed'])
    .optional()
    .describe(
      '`open`: anybody may create an account at `/register`. The address counts as verified once the user has opened the link in the mail and signed in. In production this needs `SMTP_URL`. Default: closed.',
    ),
  UPSTREAM_PROVIDERS: z
    .string()
    .default('[]')
    .transform(parseJson)
    .describe(
      'The providers through which users may sign in, as a JSON list; see “Sign in through another provider”. Default: none.',
    ),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe(
      'When set, `/metrics` requires it as a bearer token. Unset: open in development, closed in production. At least 16 characters.',
    ),
  GATEHOUSE_FAILPOINT: z
    .enum(FAILPOINTS)
    .optional()
    .describe(
      'For tests: the place at which the process kills itself (`lib/base/failpoint.ts`). Production refuses to start with it.',
    ),
  CRON_SECRET: z
    .string()
    .optional()
    .describe(
      'The bearer token that the scheduler sends to `/api/scheduled`, at least 32 characters (Vercel sends it by itself). Needed on hosts without `npm start`, which does that work with timers. Unset: nobody may call it.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe(
      'How much to log: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. Default: info.',
    ),
})

export type Config = {
  issuer: string
  /** The base of the pages: the issuer without a path. */
  origin: string
  production: boolean
  port: number
  /** Undefined: all addresses of the machine. */
  host: string | undefined
  allowedHosts: ReadonlySet<string>
  /** Hosts that may be called although they are private or use plain http. */
  outboundHosts: ReadonlySet<string>
  /** The same for addresses that clients wrote about themselves. */
  registrationOutboundHosts: ReadonlySet<string>
  /** Ends with a slash. */
  breachedPasswordsUrl: string
  databaseUrl: string
  /** How many processes `npm start` runs. */
  workers: number
  databaseReplicaUrl: string | null
  /** Applied at every start. */
  configurationFile: string | null
  dataDir: string
  secret: string
  trustedProxies: number
  refreshReplaySeconds: number
  /** For what was read about users and applications. */
  geoipFile: string | null
  cacheBytes: number
  /** Null: for ever. */
  auditRetentionDays: number | null
  /** Null: the settings decide. */
  clientRequestsPerMinute: number | null
  /** Nothing runs between requests. */
  frozen: boolean
  /** Null: the settings decide. */
  smtp: { url: string; from: string } | null
  /** Null: the settings decide. */
  registration: 'open' | 'closed' | null
  upstreamProviders: readonly UpstreamProvider[]
  metricsToken: string | null
  /** Null: nobody may call the scheduled work. */
  cronSecret: string | null
  logLevel: z.infer<typeof environment>['LOG_LEVEL']
}

/** Names the variable and what to do; the operator sees only this message. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>

const SHARED = Symbol.for('gatehouse.config')
const shared = globalThis as { [SHARED]?: Config }

/**
 * Lazy, because `next build` evaluates modules in another environment. One per process: the Node
 * host reads it before Next.js, whose bundles have separate copies of this module and another
 * NODE_ENV.
 */
export function config(): Config {
  shared[SHARED] ??= readConfig(process.env)
  return shared[SHARED]
}

export function readConfig(env: Environment): Config {
  const vars = parse(env)
  const issuer = vars.ISSUER ?? `http://localhost:${vars.PORT}`
  const address = checkIssuer(issuer)
  const production = isProduction(vars.GATEHOUSE_MODE, env, address)
  if (production && address.protocol === 'http:') {
    throw new ConfigError(
      `ISSUER is ${issuer}: in production it must start with https:// (set ISSUER to the public https address)`,
    )
  }
  if (production && vars.REGISTRATION === 'open' && vars.SMTP_URL === undefined) {
    throw new ConfigError(
      'REGISTRATION is open but addresses cannot be verified (set SMTP_URL, or REGISTRATION to closed)',
    )
  }
  if (production && vars.GATEHOUSE_FAILPOINT !== undefined) {
    throw new ConfigError('GATEHOUSE_FAILPOINT is for tests: unset it in production')
  }
  const dataDir = resolve(vars.DATA_DIR)
  const url = databaseUrl(vars.DATABASE_URL, dataDir, env)
  const outboundHosts = new Set(vars.OUTBOUND_HOSTS)
  return {
    issuer,
    origin: address.origin,
    production,
    port: vars.PORT,
    host: vars.HOST ?? (production ? undefined : '127.0.0.1'),
    allowedHosts: new Set(vars.ALLOWED_HOSTS.map((host) => host.toLowerCase())),
    outboundHosts,
    registrationOutboundHosts: new Set(vars.REGISTRATION_OUTBOUND_HOSTS),
    breachedPasswordsUrl: vars.BREACHED_PASSWORDS_URL.replace(/\/*$/, '/'),
    configurationFile: vars.GATEHOUSE_CONFIG ?? null,
    databaseUrl: url,
    databaseReplicaUrl: replicaUrl(vars.DATABASE_REPLICA_URL, vars.DATABASE_URL),
    workers: workers(vars.WORKERS, url),
    dataDir,
    secret: vars.GATEHOUSE_SECRET
      ? strong('GATEHOUSE_SECRET', vars.GATEHOUSE_SECRET)
      : ownSecret(production, dataDir),
    geoipFile: vars.GEOIP_FILE ?? null,
    trustedProxies: vars.TRUSTED_PROXIES ?? (env.VERCEL ? 1 : 0),
    refreshReplaySeconds: vars.REFRESH_REPLAY_SECONDS,
    cacheBytes: vars.CACHE_MEGABYTES * 1024 * 1024,
    auditRetentionDays: vars.AUDIT_RETENTION_DAYS ?? null,
    clientRequestsPerMinute: vars.CLIENT_REQUESTS_PER_MINUTE ?? null,
    frozen: Boolean(env.VERCEL),
    smtp: smtp(vars.SMTP_URL, vars.MAIL_FROM),
    registration: vars.REGISTRATION ?? null,
    upstreamProviders: upstreamProviders(vars.UPSTREAM_PROVIDERS, env, outboundHosts),
    metricsToken: vars.METRICS_TOKEN ?? null,
    cronSecret: vars.CRON_SECRET ? strong('CRON_SECRET', vars.CRON_SECRET) : null,
    logLevel: vars.LOG_LEVEL,
  }
}

function parse(env: Environment) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(present)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ConfigError(`${issue?.path.join('.')}: ${issue?.message} (see docs/configuration.md)`)
}

function checkIssuer(issuer: string): URL {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (!url || !ISSUER_PATHS.some((path) => issuer === url.origin + path)) {
    throw new ConfigError(
      `ISSUER is ${issuer}: it must be an origin such as https://id.example.com, or that origin with /oidc, with no slash at the end`,
    )
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw new ConfigError(
      `ISSUER is ${issuer}: plain http is for this machine only (set ISSUER to an https address)`,
    )
  }
  return url
}

/** Production, or an issuer that other machines can reach. */
export function isPublicPlace({
  origin,
  production,
}: Pick<Config, 'origin' | 'production'>): boolean {
  return production || !isLoopback(new URL(origin))
}

export function isLoopback(url: URL): boolean {
  return LOOPBACK.has(url.hostname)
}

function isProduction(mode: string | undefined, env: Environment, issuer: URL): boolean {
  if (mode) return mode === 'production'
  return env.NODE_ENV === 'production' || Boolean(env.VERCEL) || !isLoopback(issuer)
}

function databaseUrl(url: string | undefined, dataDir: string, env: Environment): string {
  const chosen = url ?? `file:${join(dataDir, 'gatehouse.db')}`
  if (env.VERCEL && chosen.startsWith('file:')) {
    throw new ConfigError(
      'DATABASE_URL: a SQLite file does not survive on Vercel (set DATABASE_URL to a postgresql:// address)',
    )
  }
  return chosen
}

function isWorkers(value: string): boolean {
  return value === 'auto' || (/^[1-9]\d{0,2}$/.test(value) && Number(value) <= MAX_WORKERS)
}

/**
 * SQLite lets one process write at a time, so more of them add little there (`npm run bench --
 * --part=workers`).
 */
function workers(chosen: string | undefined, url: string): number {
  const wanted = chosen ?? (url.startsWith('file:') ? '1' : 'auto')
  return wanted === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : Number(wanted)
}

function replicaUrl(url: string | undefined, primary: string | undefined): string | null {
  if (url === undefined) return null
  if (primary !== undefined && !primary.startsWith('file:')) return url
  throw new ConfigError(
    'DATABASE_REPLICA_URL: only PostgreSQL has replicas (set DATABASE_URL to a postgresql:// address)',
  )
}

function smtp(url: string | undefined, from: string | undefined): Config['smtp'] {
  if (url === undefined) return null
  if (from !== undefined) return { url, from }
  throw new ConfigError('MAIL_FROM is missing: set it to the sender address of mail')
}

function parseJson(text: string, context: z.RefinementCtx): unknown {
  const value = parsedJson(text)
  if (value === undefined) context.addIssue('is not JSON')
  return value
}

function upstreamProviders(
  written: unknown,
  env: Environment,
  allowedHosts: ReadonlySet<string>,
): UpstreamProvider[] {
  try {
    return readProviders(written, { secretOf: (name) => env[name], allowedHosts })
  } catch (error) {
    if (!(error instanceof ProvidersError)) throw error
    throw new ConfigError(`UPSTREAM_PROVIDERS: ${error.message}`)
  }
}

function strong(name: string, secret: string): string {
  if (secret.length >= SECRET_MINIMUM && !WEAK_SECRET.test(secret)) return secret
  throw new ConfigError(
    `${name} is weak: use at least ${SECRET_MINIMUM} random characters (openssl rand -base64 48)`,
  )
}

function ownSecret(production: boolean, dataDir: string): string {
  if (production) {
    throw new ConfigError(
      'GATEHOUSE_SECRET is missing: set it to at least 32 random characters (openssl rand -base64 48)',
    )
  }
  const file = join(dataDir, 'secret')
  if (!existsSync(file)) writeOwnSecret(dataDir, file)
  return strong('GATEHOUSE_SECRET', readFileSync(file, 'utf8').trim())
}

function writeOwnSecret(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    // `wx`: if two processes start at the same time, one writes and both read.
    writeFileSync(file, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(file, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
