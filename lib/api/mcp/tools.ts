import { listApplications } from '../applications/applications'
import { getApplicationGrants, replaceApplicationGrants } from '../applications/grants'
import type { AnyOperation } from '../http/operation'
import { decideScopes } from '../impact/dry-run'
import { previewImpact } from '../impact/routes'
import { createAssignment } from '../permissions/assignments'
import { checkPermission, effectivePermissions, explainPermission } from '../permissions/decisions'
import { addGroupMember, removeGroupMember } from '../permissions/groups'
import { createPermission, listPermissions } from '../permissions/permissions'
import { listAllResources, listHolders } from '../permissions/resource-overview'
import { grantRolePermission, revokeRolePermission } from '../permissions/role-permissions'
import { createRole } from '../permissions/roles'
import { listSpaces } from '../permissions/spaces'
import { listAuditEvents } from '../records/audit'
import { search } from '../records/search'
import { listRequestable } from '../requests/asking-routes'
import { listAllRoles, listUserRoles } from '../users/user-memberships'
import { assignRole, takeRole } from '../users/user-roles'
import { listUsers } from '../users/users'
import { askByName, listOwnRequests } from './asking'

/**
 * The tools of the MCP server: operations of the API under names for agents. A tool has the scope,
 * the schemas, the checks and the answer of its operation. The list is short on purpose: an agent
 * reads all of it, and what is not here cannot be done through it.
 */

export type Tool = {
  name: string
  operation: AnyOperation
  /** When to use it, for the model that chooses. */
  use: string
  /** A change, which a person confirms; `removes`: somebody may lose something. */
  changes?: 'adds' | 'removes'
}

const READS: readonly Tool[] = [
  {
    name: 'explain_permission',
    operation: explainPermission,
    use: 'Answers “why can’t Alice refund?”: the path of the decision, the near misses, and the least change that would turn it around.',
  },
  {
    name: 'check_permission',
    operation: checkPermission,
    use: 'Says yes or no. A user is named by ID.',
  },
  {
    name: 'dry_run_token',
    operation: decideScopes,
    use: 'Shows which scopes a client would get for a user, which are refused and why, and the claims of the token. Nothing is issued.',
  },
  {
    name: 'preview_impact',
    operation: previewImpact,
    use: 'Use it before a change: it lists who would gain or lose what, and changes nothing.',
  },
  {
    name: 'list_user_permissions',
    operation: effectivePermissions,
    use: 'Everything that one user may do. With include=sources it names the roles and grants behind each.',
  },
  {
    name: 'list_holders',
    operation: listHolders,
    use: 'Which applications and roles hold each permission of an API. The API is named by ID or prefix.',
  },
  {
    name: 'search',
    operation: search,
    use: 'Finds the IDs of applications, users, groups, roles, APIs and permissions by name.',
  },
  { name: 'find_users', operation: listUsers, use: 'Finds users by name, user name or address.' },
  {
    name: 'find_applications',
    operation: listApplications,
    use: 'Finds applications by name or client ID.',
  },
  { name: 'list_spaces', operation: listSpaces, use: 'APIs and roles belong to a space.' },
  { name: 'list_apis', operation: listAllResources, use: 'APIs with audience and prefix.' },
  { name: 'list_roles', operation: listAllRoles, use: 'Roles of all spaces, with their IDs.' },
  { name: 'list_permissions', operation: listPermissions, use: 'The permissions of a space.' },
  { name: 'list_user_roles', operation: listUserRoles, use: 'The roles that a user was given.' },
  {
    name: 'get_application_grants',
    operation: getApplicationGrants,
    use: 'Read it before replace_application_grants, and send its version back.',
  },
  { name: 'read_audit_log', operation: listAuditEvents, use: 'Who did what, and when.' },
]

const CHANGES: readonly Tool[] = [
  { name: 'give_role', operation: assignRole, use: 'Gives a role to one user.', changes: 'adds' },
  {
    name: 'take_role',
    operation: takeRole,
    use: 'Takes a role from one user.',
    changes: 'removes',
  },
  {
    name: 'assign_role',
    operation: createAssignment,
    use: 'Gives a role to a user, a group or a client, with a condition, a period or for one resource instance.',
    changes: 'adds',
  },
  {
    name: 'grant_role_permission',
    operation: grantRolePermission,
    use: 'Everybody with the role gets the permission.',
    changes: 'adds',
  },
  {
    name: 'revoke_role_permission',
    operation: revokeRolePermission,
    use: 'Everybody with the role loses the permission, unless something else gives it.',
    changes: 'removes',
  },
  {
    name: 'replace_application_grants',
    operation: replaceApplicationGrants,
    use: 'Replaces all grants of an application. Grants that are not in the list are removed.',
    changes: 'removes',
  },
  {
    name: 'add_group_member',
    operation: addGroupMember,
    use: 'The user gets the roles of the group.',
    changes: 'adds',
  },
  {
    name: 'remove_group_member',
    operation: removeGroupMember,
    use: 'The user loses the roles of the group.',
    changes: 'removes',
  },
  { name: 'create_role', operation: createRole, use: 'A new role holds nothing.', changes: 'adds' },
  {
    name: 'create_permission',
    operation: createPermission,
    use: 'Nobody holds a new permission.',
    changes: 'adds',
  },
]

/** Apart from what is read: a client asks for their scope only when it is needed. */
const ASKING: readonly Tool[] = [
  {
    name: 'list_requestable_permissions',
    operation: listRequestable,
    use: 'Use it when the user lacks a permission: it names what they may ask for, who approves it, and for how long at most.',
  },
  {
    name: 'list_access_requests',
    operation: listOwnRequests,
    use: 'Tells whether what was asked for is pending, approved or denied, and when the access ends.',
  },
  {
    name: 'ask_for_access',
    operation: askByName,
    use: 'Asking gives nothing: the people whom the rule names decide. The scope is one of list_requestable_permissions. Say in the reason what the user wants to do.',
    changes: 'adds',
  },
]

export const tools: readonly Tool[] = [...READS, ...CHANGES, ...ASKING]

const byName = new Map(tools.map((tool) => [tool.name, tool]))

export function toolNamed(name: unknown): Tool | undefined {
  return typeof name === 'string' ? byName.get(name) : undefined
}

/** What a client asks for at first; a change is asked for when it is needed. */
export const READ_SCOPES: readonly string[] = [
  ...new Set(READS.flatMap(({ operation: { scope, also } }) => [scope, ...also])),
].sort()
