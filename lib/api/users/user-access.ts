import { z } from 'zod'
import { requestResetFor } from '../../accounts/reset-password'
import { signOutEverywhere } from '../../accounts/sign-out-everywhere'
import type { Op, Reader, Transaction } from '../../context/op'
import { announceLogout } from '../../delivery/logout'
import { mailMode } from '../../delivery/mail/mode'
import { orderNotice } from '../../delivery/mail/notices'
import type { FACTORS } from '../../delivery/mail/order'
import { errorMessage } from '../../i18n/error-message'
import { DEFAULT_LOCALE } from '../../i18n/locales'
import { localeOf } from '../../settings/model'
import { listIdentitiesOf } from '../../store/accounts/identities'
import { listPasskeysOf, removePasskey } from '../../store/accounts/passkeys'
import { countRecoveryCodes } from '../../store/accounts/recovery-codes'
import { endSessionOf, listSessionsOf, type OpenSession } from '../../store/accounts/sessions'
import { dropIdentity } from '../../store/accounts/sign-in-methods'
import { listTotpsOf, removeTotp } from '../../store/accounts/totp'
import { distrustAllOf } from '../../store/accounts/trusted-devices'
import { findPasswordHash, type UserRecord } from '../../store/accounts/users'
import { listConsentsOf, removeConsents } from '../../store/tokens/consents'
import { lastTokensOf, revokeGrantsOf } from '../../store/tokens/token-grants'
import { type ChangeEntry, change } from '../authority/change'
import { refuseSelf, requireBelow, requireToActAs, requireUser } from '../authority/user-rules'
import { type Call, operation, tagged } from '../http/operation'
import { notFound, Problem, requireFound } from '../http/problem'
import { iso } from '../http/schemas'

/** Sessions, ways to sign in and connected applications of a user, for those who help them. */

export const sessionSchema = z.object({
  id: z.string(),
  ip: z.string().nullable(),
  place: z.string().nullable().describe('Where the address roughly is, with GEOIP_FILE'),
  userAgent: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
})

const factorSchema = z.object({
  id: z.string(),
  kind: z.enum(['passkey', 'totp', 'identity']),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
})

const factorsSchema = z.object({
  password: z.boolean(),
  recoveryCodes: z.number().describe('Number of unused recovery codes'),
  data: z.array(factorSchema),
})

const connectedSchema = z.object({
  application: z.string(),
  name: z.string(),
  granted: z.array(z.string()),
  refused: z.array(z.string()),
  decidedAt: z.string(),
  lastUsedAt: z.string().nullable().describe('When it last got a token for this user'),
})

export type UserSession = z.infer<typeof sessionSchema>
export type UserFactors = z.infer<typeof factorsSchema>

/**
 * Only a caller who may act as the user may end their sessions and remove their ways to sign in.
 */
async function requireTheirs(op: Op, call: Call<{ user: string }, unknown, unknown>) {
  const user = await requireUser(op, call.params.user)
  return { user, gives: await requireToActAs(op, call, user) }
}

export async function factorsOf(db: Reader, userId: string) {
  const passkeys = await listPasskeysOf(db, userId)
  const totps = await listTotpsOf(db, userId)
  const identities = await listIdentitiesOf(db, userId)
  const wire = (kind: 'passkey' | 'totp' | 'identity', factor: Factor) => ({
    id: factor.id,
    kind,
    name: factor.name,
    createdAt: iso(factor.createdAt),
    lastUsedAt: iso(factor.lastUsedAt),
  })
  return {
    password: (await findPasswordHash(db, userId)) !== null,
    recoveryCodes: await countRecoveryCodes(db, userId),
    data: [
      ...passkeys.map((one) => wire('passkey', one)),
      ...totps.map((one) => wire('totp', one)),
      ...identities.map((one) =>
        wire('identity', {
          ...one,
          name: `${one.issuer} ${one.email ?? one.username ?? ''}`.trim(),
        }),
      ),
    ],
  }
}

type Factor = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }
type FactorKind = (typeof FACTORS)[number]

/** No device is trusted any more once there is no authenticator app that it could stand for. */
export async function removeFactor(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<FactorKind | null> {
  if (await removePasskey(tx, userId, id)) return 'passkey'
  if (await removeTotp(tx, userId, id)) {
    if ((await listTotpsOf(tx, userId)).length === 0) await distrustAllOf(tx, userId)
    return 'totp'
  }
  return (await dropIdentity(tx, userId, id)) ? 'identity' : null
}

/** The user gets a notice: they should not have to read the audit log to learn of it. */
export async function tellOfFactor(op: Op, tx: Transaction, user: UserRecord, factor: FactorKind) {
  const locale = localeOf(user.locale, op.settings.known().languages)
  await orderNotice(op, tx, user.id, { notice: 'factor_removed', factor }, { ip: null, locale })
}

export function sessionWire(op: Op, { createdAt, lastSeenAt, ...session }: OpenSession) {
  const place = op.places.of(session.ip, DEFAULT_LOCALE)
  return { ...session, place, createdAt: iso(createdAt), lastSeenAt: iso(lastSeenAt) }
}

export const listUserSessions = operation({
  id: 'listUserSessions',
  method: 'GET',
  path: '/users/{user}/sessions',
  summary: 'List the sessions of a user',
  scope: 'users:read',
  answers: { 200: z.object({ data: z.array(sessionSchema) }) },
  async handle(op, { params }) {
    const { id } = await requireUser(op, params.user)
    const open = await op.read((db) => listSessionsOf(db, id, op.now()))
    return { status: 200, body: { data: open.map((one) => sessionWire(op, one)) } }
  },
})

export const endUserSessions = operation({
  id: 'endUserSessions',
  method: 'DELETE',
  path: '/users/{user}/sessions',
  summary: 'Sign a user out everywhere and revoke the tokens of their applications',
  scope: 'users:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { user, gives } = await requireTheirs(op, call)
    const entry: ChangeEntry = {
      event: 'user.signed_out',
      gives,
      kind: 'user',
      id: user.id,
    }
    await change(op, call, entry, (tx) => signOutEverywhere(op, tx, user.id, 'signed_out_by_admin'))
    return { status: 204 }
  },
})

export const endUserSession = operation({
  id: 'endUserSession',
  method: 'DELETE',
  path: '/users/{user}/sessions/{session}',
  summary: 'End one session of a user',
  scope: 'users:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { user, gives } = await requireTheirs(op, call)
    const { session } = call.params
    const detail = { session }
    const entry: ChangeEntry = {
      event: 'user.session_ended',
      gives,
      kind: 'user',
      id: user.id,
      detail,
    }
    await change(op, call, entry, async (tx) => {
      if (!(await endSessionOf(tx, user.id, session, op.now()))) {
        throw notFound('no_session', session)
      }
      await announceLogout(op, tx, user.id, [session])
    })
    return { status: 204 }
  },
})

export const listUserFactors = operation({
  id: 'listUserFactors',
  method: 'GET',
  path: '/users/{user}/factors',
  summary:
    'List how a user can sign in: password, passkeys, authenticator apps, identities at providers',
  scope: 'users:read',
  answers: { 200: factorsSchema },
  async handle(op, { params }) {
    const { id } = await requireUser(op, params.user)
    return { status: 200, body: await op.read((db) => factorsOf(db, id)) }
  },
})

export const removeUserFactor = operation({
  id: 'removeUserFactor',
  method: 'DELETE',
  path: '/users/{user}/factors/{factor}',
  summary:
    'Remove a passkey, an authenticator app or an identity of a user; the user gets a notice by mail',
  scope: 'users:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { user, gives } = await requireTheirs(op, call)
    // One's own are on one's own pages, which ask for a factor first.
    refuseSelf(call.caller, user)
    const { factor: id } = call.params
    const entry: ChangeEntry = {
      event: 'user.factor_removed',
      gives,
      kind: 'user',
      id: user.id,
    }
    await change(op, call, { ...entry, detail: { factor: id } }, async (tx) => {
      const kind = requireFound(await removeFactor(tx, user.id, id), 'no_factor', id)
      await tellOfFactor(op, tx, user, kind)
    })
    return { status: 204 }
  },
})

export const listUserApplications = operation({
  id: 'listUserApplications',
  method: 'GET',
  path: '/users/{user}/applications',
  summary: 'List the applications that a user consented to, with their scopes',
  scope: 'users:read',
  answers: { 200: z.object({ data: z.array(connectedSchema) }) },
  async handle(op, { params }) {
    const { id } = await requireUser(op, params.user)
    const apps = await op.read((db) => listConsentsOf(db, id))
    const used = await op.read((db) => lastTokensOf(db, id))
    const data = apps.map(({ id: application, name, consents }) => ({
      application,
      name,
      granted: consents.filter(({ granted }) => granted).map(({ scope }) => scope),
      refused: consents.filter(({ granted }) => !granted).map(({ scope }) => scope),
      decidedAt: iso(new Date(Math.max(...consents.map((one) => one.decidedAt.getTime())))),
      lastUsedAt: iso(used.get(application) ?? null),
    }))
    return { status: 200, body: { data } }
  },
})

export const removeUserApplication = operation({
  id: 'removeUserApplication',
  method: 'DELETE',
  path: '/users/{user}/applications/{application}',
  summary: 'Withdraw the consent of a user to an application; its tokens are revoked at once',
  scope: 'users:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const user = await requireUser(op, call.params.user)
    const gives = await requireBelow(op, call, user)
    const { application: applicationId } = call.params
    const about = { kind: 'user', id: user.id, applicationId } as const
    await change(op, call, { event: 'user.application_removed', gives, ...about }, async (tx) => {
      if ((await removeConsents(tx, user.id, applicationId)) === 0) {
        throw notFound('no_consent', applicationId)
      }
      await revokeGrantsOf(tx, user.id, 'removed_by_admin', op.now(), { applicationId })
    })
    return { status: 204 }
  },
})

export const resetUserPassword = operation({
  id: 'resetUserPassword',
  method: 'POST',
  path: '/users/{user}/password-reset',
  summary: 'Send a user a link to choose a new password',
  scope: 'users:write',
  body: z.strictObject({}),
  example: {},
  answers: { 202: z.object({ to: z.string() }) },
  async handle(op, call) {
    const { user, gives } = await requireTheirs(op, call)
    if (user.email === null) throw new Problem('conflict', errorMessage('email_missing'))
    if (user.disabledAt !== null) throw new Problem('conflict', errorMessage('user_disabled'))
    if (mailMode(op) === 'off') throw new Problem('conflict', errorMessage('mail_off'))
    const locale = localeOf(user.locale, op.settings.known().languages)
    const entry: ChangeEntry = {
      event: 'user.reset_sent',
      gives,
      kind: 'user',
      id: user.id,
    }
    const { email } = user
    await change(op, call, entry, (tx) => requestResetFor(op, tx, email, locale))
    return { status: 202, body: { to: email } }
  },
})

export const userAccessRoutes = tagged('Users', [
  listUserSessions,
  endUserSessions,
  endUserSession,
  listUserFactors,
  removeUserFactor,
  listUserApplications,
  removeUserApplication,
  resetUserPassword,
])
