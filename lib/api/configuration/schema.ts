import { z } from 'zod'
import { rule } from '../../i18n/error-message'
import { englishOf } from '../../i18n/zod-error-message'
import { modelSchema } from '../permissions/model'

/**
 * A portal as one document. Objects are identified by names that are the same in every portal. The
 * API checks everything else when it is written. Secrets are references, never values.
 */

export const VERSION = 1

const secretReference = z.strictObject({
  env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, rule('environment_name')),
})
export type SecretReference = z.infer<typeof secretReference>

const space = z.strictObject({
  key: z.string(),
  name: z.string(),
  ...modelSchema.shape,
})

const api = z.strictObject({
  prefix: z.string(),
  owners: z
    .array(
      z.strictObject({
        type: z.enum(['user', 'group']),
        id: z.string().describe('A user name, an e-mail address or the key of a group'),
      }),
    )
    .optional(),
  introspectors: z.array(z.string()).optional().describe('Client IDs'),
})

const user = z
  .looseObject({
    id: z.string().optional().describe('Only for a new user; otherwise one is generated'),
    email: z.string().nullish(),
    username: z.string().nullish(),
  })
  .refine(({ email, username }) => email || username, rule('user_names_missing'))

const group = z.looseObject({ key: z.string(), members: z.array(z.string()).optional() })

const grants = z.array(z.union([z.string(), z.looseObject({ pattern: z.string() })]))

const application = z.looseObject({
  id: z.string(),
  kind: z.string(),
  grants: grants.optional(),
  branding: z.looseObject({}).optional().describe('Colours and texts; logos are uploaded'),
  secrets: z.array(z.strictObject({ name: z.string(), secret: secretReference })).optional(),
  keys: z
    .array(z.looseObject({ accessKey: z.string(), secretKey: secretReference.optional() }))
    .optional(),
})

const assignment = z.looseObject({
  space: z.string(),
  role: z.string(),
  subject: z.strictObject({
    type: z.enum(['user', 'group', 'client']),
    id: z.string().describe('A user name, an e-mail address, the key of a group or a client ID'),
  }),
})

const approver = z.strictObject({
  type: z.enum(['role', 'group', 'user', 'api_owners', 'manager']),
  id: z
    .string()
    .optional()
    .describe('space/role, the key of a group, a user name or an e-mail address'),
  attribute: z.string().optional(),
})

const requestRule = z.looseObject({
  api: z.string().describe('The prefix of the API'),
  name: z.string(),
  patterns: z.array(z.string()),
  stages: z.array(
    z.looseObject({
      approvers: z.array(approver),
      escalateTo: z.array(approver).optional(),
    }),
  ),
  emergency: z
    .looseObject({ people: z.array(approver), reviewers: z.array(approver).optional() })
    .nullish(),
})

const webhook = z.looseObject({ name: z.string(), secret: secretReference.optional() })

const settings = z.strictObject({
  security: z.looseObject({}).optional(),
  branding: z.looseObject({}).optional(),
  languages: z.looseObject({}).optional(),
  clientRegistration: z.looseObject({}).optional(),
  mail: z
    .strictObject({ server: z.string(), from: z.string(), password: secretReference.optional() })
    .nullable()
    .optional(),
  userAttributes: z.array(z.looseObject({ key: z.string() })).optional(),
  putAway: z.array(z.string()).optional(),
  providers: z
    .array(z.looseObject({ id: z.string(), clientSecret: secretReference.optional() }))
    .optional(),
})

export const PRUNED = [
  'webhooks',
  'requestRules',
  'assignments',
  'applications',
  'groups',
  'users',
  'roles',
  'resources',
  'permissions',
  'spaces',
  'providers',
] as const

export const configurationSchema = z.strictObject({
  version: z.literal(VERSION),
  prune: z
    .union([z.literal(true), z.array(z.enum(PRUNED))])
    .optional()
    .describe('Kinds whose objects are removed if the file does not name them; true for all kinds'),
  settings: settings.optional(),
  spaces: z.array(space).default([]),
  apis: z.array(api).default([]).describe('Their owners, and who may introspect their tokens'),
  users: z.array(user).default([]),
  groups: z.array(group).default([]),
  applications: z.array(application).default([]),
  assignments: z.array(assignment).default([]),
  requestRules: z.array(requestRule).default([]).describe('What users may ask for'),
  webhooks: z.array(webhook).default([]),
})

export type Configuration = z.infer<typeof configurationSchema>
export type PrunedKind = (typeof PRUNED)[number]

/** What is wrong and where; the operator sees only this message. */
export class ConfigurationError extends Error {}

export function parseConfiguration(text: string): Configuration {
  const parsed = configurationSchema.safeParse(fromJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ConfigurationError(`/${issue?.path.join('/') ?? ''}: ${issue && englishOf(issue)}`)
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigurationError(`not JSON: ${error instanceof Error ? error.message : ''}`)
  }
}
