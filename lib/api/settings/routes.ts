import { z } from 'zod'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import {
  type ClientRegistration,
  clientRegistrationShape,
  DEFAULT_CLIENT_REGISTRATION,
} from '../../settings/client-registration'
import { effective, fixedBy } from '../../settings/effective'
import {
  attributesShape,
  languagesOf,
  languagesShape,
  mailShape,
  putAwayShape,
  type StoredSettings,
  securityShape,
} from '../../settings/model'
import { operation, tagged } from '../http/operation'
import { fieldProblem, invalidField, Problem } from '../http/problem'
import { brandingPatch, requireWayIn } from './branding'
import { changeStored, readSettings, representation, type WrittenSettings } from './change'
import { privilegesOfRegistration, requireKnownScopes } from './registration-privileges'
import { privilegesOfSecurity } from './security-privileges'
import { changeSignIn } from './sign-in-change'
import { requireSafeAttributes, requireUnread, retiredAfter } from './user-attributes'
import { settingsWire } from './wire'

const mailSchema = z.strictObject({
  ...mailShape,
  password: z
    .string()
    .min(1)
    .max(1_000)
    .nullable()
    .optional()
    .describe('Null removes it; if missing, the stored password stays'),
})

const patchSchema = z
  .strictObject({
    security: z.strictObject(securityShape).partial(),
    branding: z.strictObject(brandingPatch).partial(),
    languages: z.strictObject(languagesShape).partial(),
    clientRegistration: z.strictObject(clientRegistrationShape).partial(),
    mail: mailSchema.nullable(),
    userAttributes: attributesShape.describe(
      'Attributes of users. The list replaces the one before; values of removed attributes stay',
    ),
    putAway: putAwayShape.describe(
      'What the overview no longer shows: keys of warnings (`GET /health`) and `first_steps`. The list replaces the one before',
    ),
  })
  .partial()

type Patch = z.infer<typeof patchSchema>

/** Settings of the environment cannot be changed. Sending the same value is not a change. */
function requireNotFixed(op: Op, { security, mail }: Patch): void {
  const fixed = fixedBy(op.config)
  for (const [member, value] of Object.entries(security ?? {})) {
    const variable = fixed[`/security/${member}`]
    const holds = op.settings.known().security[member as keyof typeof securityShape]
    if (variable && value !== undefined && value !== holds) {
      throw fixedProblem(`/security/${member}`, variable)
    }
  }
  if (mail !== undefined && fixed['/mail']) throw fixedProblem('/mail', fixed['/mail'])
}

function fixedProblem(pointer: string, variable: string): Problem {
  const reason = errorMessage('fixed', { variable })
  return new Problem('conflict', reason, { errors: [fieldProblem(pointer, reason)] })
}

function patched({ stored, secrets }: WrittenSettings, patch: Patch): WrittenSettings {
  const { mail } = patch
  const after: StoredSettings = {
    ...stored,
    security: { ...stored.security, ...withoutUndefined(patch.security ?? {}) },
    branding: { ...stored.branding, ...withoutUndefined(patch.branding ?? {}) },
    languages: { ...stored.languages, ...withoutUndefined(patch.languages ?? {}) },
    clientRegistration: {
      ...stored.clientRegistration,
      ...withoutUndefined(patch.clientRegistration ?? {}),
    },
    ...(mail !== undefined && { mail: mail && { server: mail.server, from: mail.from } }),
    ...(patch.putAway && { putAway: [...new Set(patch.putAway)] }),
    ...attributesAfter(stored, patch),
  }
  if (mail === undefined) return { stored: after, secrets }
  const { mail: kept, ...rest } = secrets
  // The password of one mail server must not be sent to another.
  const same = mail !== null && serverOf(mail.server) === serverOf(stored.mail?.server)
  const password = mail?.password === undefined && same ? kept : mail?.password
  return { stored: after, secrets: { ...rest, ...(password && { mail: password }) } }
}

function attributesAfter(
  { userAttributes: before, retiredAttributes: retired }: StoredSettings,
  { userAttributes: after }: Patch,
) {
  if (after === undefined) return {}
  requireSafeAttributes(before, retired, after)
  return { userAttributes: after, retiredAttributes: retiredAfter(before, retired, after) }
}

function serverOf(url: string | undefined): string | null {
  if (url === undefined) return null
  const { protocol, host, username } = new URL(url)
  return `${protocol}//${username}@${host}`
}

/** Values that are valid alone may still contradict each other. */
function requireSound(op: Op, { stored, secrets }: WrittenSettings): void {
  const { security, smtp } = effective(op.config, stored, secrets, 0)
  if (security.passwordLengthWithFactor > security.passwordLength) {
    throw invalidField('/security/passwordLengthWithFactor', errorMessage('password_lengths'))
  }
  if (security.sessionIdleMinutes > security.sessionHours * 60) {
    throw invalidField('/security/sessionIdleMinutes', errorMessage('session_idle'))
  }
  if (security.registration === 'open' && !smtp && op.config.production) {
    throw invalidField('/security/registration', errorMessage('registration_mail'))
  }
  const { default: chosen, offered } = stored.languages
  if (
    chosen !== undefined &&
    !languagesOf({ offered: offered ?? [] }).offered.some((one) => one === chosen)
  ) {
    throw invalidField('/languages/default', errorMessage('language_not_offered'))
  }
}

/** Only the members of the request, without the password. */
function told(patch: Patch, from: WrittenSettings): Record<string, unknown> {
  const { mail } = patch
  const members = (names: object | undefined, of: Record<string, unknown>) =>
    names && Object.fromEntries(Object.keys(names).map((name) => [name, of[name] ?? null]))
  const { security, branding, languages, clientRegistration } = from.stored
  return {
    ...(patch.security && { security: members(patch.security, security) }),
    ...(patch.branding && { branding: members(patch.branding, branding) }),
    ...(patch.languages && { languages: members(patch.languages, languages) }),
    ...(patch.clientRegistration && {
      clientRegistration: members(patch.clientRegistration, clientRegistration),
    }),
    ...(mail !== undefined && {
      mail: from.stored.mail && {
        ...from.stored.mail,
        passwordSet: from.secrets.mail !== undefined,
      },
    }),
    ...(patch.userAttributes && { userAttributes: from.stored.userAttributes }),
    ...(patch.putAway && { putAway: from.stored.putAway }),
  }
}

function securityIn(op: Op, { stored, secrets }: WrittenSettings) {
  return effective(op.config, stored, secrets, 0).security
}

function registrationIn({ stored }: WrittenSettings): ClientRegistration {
  return { ...DEFAULT_CLIENT_REGISTRATION, ...withoutUndefined(stored.clientRegistration) }
}

export const getSettings = operation({
  id: 'getSettings',
  method: 'GET',
  path: '/settings',
  summary: 'Read the settings in force, and which of them the environment fixes',
  scope: 'settings:read',
  answers: { 200: settingsWire },
  async handle(op) {
    const { row, ...written } = await readSettings(op)
    return representation(op, written, row)
  },
})

export const changeSettings = operation({
  id: 'changeSettings',
  method: 'PATCH',
  path: '/settings',
  summary: 'Change the given settings only; they take effect everywhere within a second',
  scope: 'settings:write',
  body: patchSchema,
  example: { security: { sessionIdleMinutes: 60 }, branding: { name: 'Example ID' } },
  answers: { 200: settingsWire },
  async handle(op, call) {
    requireNotFixed(op, call.body)
    await requireUnread(op, call.body.userAttributes ?? [])
    await requireWayIn(op, call.body.branding?.methods)
    const { policy } = await op.latestSnapshot()
    requireKnownScopes(policy, call.body.clientRegistration?.scopes)
    const change = call.body.mail === undefined ? changeStored : changeSignIn
    return change(op, call, (before) => {
      const written = patched(before, call.body)
      requireSound(op, written)
      const detail = {
        before: told(call.body, before),
        after: told(call.body, written),
        ...(call.body.mail !== undefined && {
          mailPasswordChanged: before.secrets.mail !== written.secrets.mail,
        }),
      }
      const gives = [
        ...privilegesOfRegistration(policy, registrationIn(before), registrationIn(written)),
        ...privilegesOfSecurity(securityIn(op, before), securityIn(op, written)),
      ]
      return { written, entry: { event: 'settings.changed', gives, id: 'portal', detail } }
    })
  },
})

export const settingsRoutes = tagged('Settings', [getSettings, changeSettings])
