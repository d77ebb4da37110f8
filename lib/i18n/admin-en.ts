import { adminAccessEn } from './admin-access-en'
import { adminApisEn } from './admin-apis-en'
import { adminAppPartsEn } from './admin-app-parts-en'
import { adminApplicationsEn } from './admin-applications-en'
import { adminAuditEn } from './admin-audit-en'
import { adminConditionsEn } from './admin-conditions-en'
import { adminCredentialsEn } from './admin-credentials-en'
import { adminGroupsEn } from './admin-groups-en'
import { healthEn } from './admin-health-en'
import { adminImpactEn, adminTermsEn } from './admin-impact-en'
import { adminKeysEn } from './admin-keys-en'
import { adminOverviewEn } from './admin-overview-en'
import { adminRolesEn } from './admin-roles-en'
import { adminSettingsEn } from './admin-settings-en'
import { adminSpacesEn } from './admin-spaces-en'
import { adminToolsEn } from './admin-tools-en'
import { adminUsersEn } from './admin-users-en'
import { adminWebhooksEn } from './admin-webhooks-en'

export const adminEn = {
  title: 'Administration',
  navigation: 'Administration',
  menu: 'Menu',
  account: 'Your account',
  pages: {
    '/admin': 'Overview',
    '/admin/applications': 'Applications',
    '/admin/apis': 'APIs',
    '/admin/roles': 'Roles',
    '/admin/users': 'Users',
    '/admin/groups': 'Groups',
    '/admin/simulator': 'Simulator',
    '/admin/why': 'Why can they?',
    '/admin/reports': 'Least privilege',
    '/admin/tools': 'Tools',
    '/admin/audit': 'Audit log',
    '/admin/keys': 'Signing keys',
    '/admin/webhooks': 'Webhooks',
    '/admin/settings': 'Settings',
  },
  forbidden: {
    title: 'This page isn’t open to you',
    text: 'Your role doesn’t include it. Ask somebody who administers this portal if you need it.',
  },
  table: {
    search: 'Search',
    apply: 'Apply',
    any: 'Any',
    reset: 'Clear',
    sortBy: 'Sort by {column}',
    first: 'First page',
    next: 'Next page',
    previous: 'Previous page',
    pages: 'Pages',
    total: '{count} in all',
    totalMost: '{count} or more',
    select: 'Select {name}',
    selected: 'With the selected:',
    go: 'Go on',
    columns: 'Columns',
    export: 'Export {format}',
    none: 'Nothing fits this search.',
    noneHint: 'Try fewer words, or clear the filters.',
    keys: 'Keys: / to search, j and k to move, Enter to open',
  },
  form: {
    save: 'Save',
    saving: 'Saving…',
    create: 'Create',
    creating: 'Creating…',
    cancel: 'Cancel',
    delete: 'Delete',
    deleting: 'Deleting…',
    confirm: 'Confirm',
    optional: 'optional',
    yes: 'Yes',
    no: 'No',
    none: 'None',
    typeName: 'Type “{name}” to confirm',
    typeNameWrong: 'That isn’t the name. Type it exactly as shown.',
    done: 'Saved.',
    created: 'Created.',
    deleted: 'Deleted.',
    refused:
      'Nothing was changed: your role doesn’t allow it, or somebody was faster. Load the page again and look.',
    shownOnce: 'Keep this now. It won’t be shown again.',
    download: 'Download {file}',
  },
  problems: {
    malformed: 'This can’t be read. Check what you typed.',
    invalid: 'Some of this isn’t valid. Check what you typed.',
    unauthenticated: 'Sign in again.',
    invalid_token: 'Sign in again.',
    forbidden: 'Your role doesn’t allow this.',
    second_factor_needed: 'Prove your second factor first.',
    confirmation_needed: 'Confirm that it’s you first.',
    not_found: 'It’s gone: somebody may have deleted it.',
    method_not_allowed: 'This can’t be done here.',
    conflict: 'This doesn’t fit what is there already.',
    in_flight: 'The same request is being answered right now. Wait a moment.',
    stale: 'Somebody else changed it meanwhile. Load the page again, then make your change.',
    too_large: 'This is too large.',
    unsupported_media_type: 'This kind of file can’t be read.',
    key_reused: 'Load the page again, then try once more.',
    version_needed: 'Load the page again, then try once more.',
    slow_down: 'Too many requests. Wait a moment.',
    fault: 'Something went wrong on our side. Try again.',
    unavailable: 'The portal can’t answer right now. Try again in a moment.',
    authority: {
      refused: 'You can’t give {what}. {who} can.',
      others: '{what} and {count} more',
      or: '{one} or {other}',
      anotherAdmin: 'You can’t change what you may do yourself. Ask another admin.',
      by: {
        owner: 'An owner',
        admin: 'An admin',
        auditor: 'An auditor',
        app_manager: 'An app manager',
        api: 'An owner of the API {api}',
        apiNamed: 'An owner of the API {api} ({names})',
      },
    },
  },
  roles: { owner: 'Owner', admin: 'Admin', auditor: 'Auditor', app_manager: 'App manager' },
  enabled: 'Enabled',
  disabled: 'Disabled',
  never: 'Never',
  overview: adminOverviewEn,
  health: healthEn,
  keys: adminKeysEn,
  audit: adminAuditEn,
  access: adminAccessEn,
  tools: adminToolsEn,
  users: adminUsersEn,
  groups: adminGroupsEn,
  settings: adminSettingsEn,
  webhooks: adminWebhooksEn,
  conditions: adminConditionsEn,
  terms: adminTermsEn,
  impact: adminImpactEn,
  apis: adminApisEn,
  spaces: adminSpacesEn,
  rolePages: adminRolesEn,
  applications: {
    ...adminApplicationsEn,
    ...adminAppPartsEn,
    credentials: adminCredentialsEn,
  },
} as const
