/**
 * Every event of the audit log. The types, the labels in lib/i18n, the list at /admin/audit, the
 * events of webhooks and docs/events.md come from this table.
 */

type Said = {
  /** Shown to the user whom it concerns, at /account/activity. */
  activity?: true
  /** Not shown there to whoever did it: it says what was done to somebody. */
  byOthers?: true
  /** Also shown to them if it failed: somebody else may have tried. */
  failure?: true
  /**
   * Not delivered to webhooks: anybody can cause it, there are too many of them, or it would put
   * another message beside the one that it is about.
   */
  webhooks?: false
}

const ALL = {
  // Signing in and out
  'login.succeeded': { activity: true },
  'login.failed': {},
  'login.code_requested': {},
  'login.second_factor': { activity: true, failure: true },
  logout: { activity: true },
  'session.ended': { activity: true },
  'sessions.ended': { activity: true },
  'device.trusted': { activity: true },
  'device.distrusted': { activity: true },

  // A user's own account
  'user.registered': { activity: true },
  'setup.completed': { activity: true },
  'invitation.accepted': { activity: true },
  'account.confirmed': { activity: true, failure: true },
  'account.not_me': { activity: true },
  'account.deletion_asked': { activity: true },
  'account.kept': { activity: true },
  'account.erased': {},
  'data.downloaded': { activity: true },
  'email.verified': { activity: true },
  'email.change_requested': { activity: true },
  'email.changed': { activity: true },
  'password.changed': { activity: true, failure: true },
  'password.reset_requested': {},
  'password.reset': { activity: true },
  'factor.added': { activity: true },
  'factor.removed': { activity: true },
  'recovery_codes.replaced': { activity: true },
  'identity.linked': { activity: true },
  'identity.unlinked': { activity: true },
  'profile.changed': { activity: true },
  'picture.changed': { activity: true },
  'picture.removed': { activity: true },

  // Applications that users sign in to
  'consent.given': { activity: true },
  'consent.assumed': { activity: true },
  'consent.denied': { activity: true },
  'consent.changed': { activity: true },
  'consent.paused': { activity: true },
  'consent.resumed': { activity: true },
  'consent.removed': { activity: true },
  'app.left': { activity: true },
  'app.access_ended': { activity: true },
  'change.confirmed': { activity: true },
  'change.declined': { activity: true },

  // Tokens
  'code.issued': { webhooks: false },
  'code.replayed': {},
  'token.issued': { webhooks: false },
  'token.refused': { webhooks: false },
  'token.origin_refused': { webhooks: false },
  'token.revoked': {},
  'device_sign_in.requested': { webhooks: false },
  'device_sign_in.approved': { activity: true },
  'device_sign_in.denied': { activity: true },
  'refresh.repeated': {},
  'refresh.replayed': { failure: true },
  'client.refused': { webhooks: false },
  'authorize.foreign_redirect': { webhooks: false },
  'authorize.refused': { webhooks: false },
  'userinfo.refused': { webhooks: false },
  'logout.refused': { webhooks: false },
  'permission.refused': { webhooks: false },

  // Users and groups, changed by an admin
  'user.created': { activity: true },
  'users.created': {},
  'user.changed': { activity: true },
  'user.deleted': {},
  'user.merged': { activity: true },
  'user.invited': { activity: true },
  'user.reset_sent': {},
  'user.signed_out': {},
  'user.session_ended': {},
  'user.factor_removed': {},
  'user.application_removed': {},
  'impersonation.started': { activity: true, byOthers: true },
  'impersonation.ended': { activity: true, byOthers: true },
  'group.created': {},
  'group.changed': {},
  'group.deleted': {},
  'group.member_added': {},
  'group.member_removed': {},

  // The permission model: spaces, APIs, permissions, roles and assignments
  'space.created': {},
  'space.changed': {},
  'space.deleted': {},
  'resource.created': {},
  'resource.changed': {},
  'resource.deleted': {},
  'permission.saved': {},
  'permission.deleted': {},
  'role.created': {},
  'role.changed': {},
  'role.deleted': {},
  'role.permissions_replaced': {},
  'role.permission_granted': {},
  'role.permission_revoked': {},
  'assignment.created': {},
  'assignment.batch_created': {},
  'assignment.changed': {},
  'assignment.deleted': {},
  'assignment.began': { activity: true },
  'assignment.not_begun': {},
  'assignment.ended': { activity: true },
  'grant.began': {},
  'grant.not_begun': {},
  'grant.ended': {},
  'request_rule.created': {},
  'request_rule.changed': {},
  'request_rule.deleted': {},
  'access_request.created': { activity: true },
  'access_request.voted': { activity: true },
  'access_request.approved': { activity: true },
  'access_request.denied': { activity: true },
  'access_request.cancelled': { activity: true },
  'access_request.revoked': { activity: true },
  'access_request.expired': {},
  'access_request.escalated': {},
  'access_request.failed': {},
  'review.started': { activity: true },
  'review.decided': { activity: true },
  'review.closed': {},
  'review.cancelled': { activity: true },
  'access_request.emergency_opened': { activity: true },
  'access_request.reviewed': { activity: true },
  'access_request.review_missed': {},
  'assertions.replaced': {},
  'model.imported': {},

  // Applications, changed by an admin
  'application.created': {},
  'application.changed': {},
  'application.deleted': {},
  'application.branding_changed': {},
  'application.logo_changed': {},
  'application.logo_removed': {},
  'application.grants_replaced': {},
  'application.cleaned_up': {},
  'application.pkce_learned': {},
  'application.person_removed': {},
  'application.secret_added': {},
  'application.secret_rotated': {},
  'application.secret_revoked': {},
  'access_key.created': {},
  'access_key.changed': {},
  'access_key.deleted': {},
  'initial_token.created': {},
  'initial_token.revoked': {},
  'test_login.started': {},
  'test_login.finished': {},

  // Applications that register themselves
  'registration.created': {},
  'registration.changed': {},
  'registration.deleted': {},
  'registration.expired': {},
  'registration.refused': { webhooks: false },

  // The portal itself
  'settings.changed': {},
  'settings.mail_tested': {},
  'settings.provider_saved': {},
  'settings.provider_removed': {},
  'webhook.created': {},
  'webhook.changed': {},
  'webhook.deleted': {},
  'webhook.secret_rotated': {},
  'webhook.tested': {},
  'webhook.resent': {},
  'outbox.retried': { webhooks: false },
  'outbox.cancelled': { webhooks: false },
  'key.staged': {},
  'key.active': {},
  'key.retiring': {},
  'key.revoked': {},
  'portal.restored': {},
  'audit.removed': {},
  'demo.loaded': {},
} as const satisfies Record<string, Said>

export type EventName = keyof typeof ALL
type With<Flag extends keyof Said> = {
  [Name in EventName]: (typeof ALL)[Name] extends { [F in Flag]: true } ? Name : never
}[EventName]

export const EVENTS: Readonly<Record<EventName, Said>> = ALL
export const EVENT_NAMES = Object.keys(ALL) as EventName[]

export const ACTIVITY_EVENTS = EVENT_NAMES.filter(
  (name): name is With<'activity'> => EVENTS[name].activity === true,
)
export const ACTIVITY_FAILURES = EVENT_NAMES.filter(
  (name): name is With<'failure'> => EVENTS[name].failure === true,
)
/** What users see that was done to them, and not what they did to others. */
export const BY_OTHERS = EVENT_NAMES.filter((name) => EVENTS[name].byOthers === true)

/** The events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = EVENT_NAMES.filter(isForWebhooks)

export function isForWebhooks(name: EventName): boolean {
  return EVENTS[name].webhooks !== false
}

/** One event by its name, all events of a kind (`user.*`), or all events (`*`). */
export function matchesEvent(pattern: string, event: string): boolean {
  if (pattern === '*' || pattern === event) return true
  return pattern.endsWith('.*') && event.startsWith(pattern.slice(0, -1))
}

/** The kinds of objects that an event is about. */
export const TARGET_KINDS = [
  'user',
  'group',
  'client',
  'application',
  'application_secret',
  'access_key',
  'initial_token',
  'space',
  'resource',
  'permission',
  'role',
  'assignment',
  'request_rule',
  'access_request',
  'review',
  'model',
  'session',
  'token_grant',
  'signing_key',
  'webhook',
  'outbox_message',
  'settings',
] as const
export type TargetKind = (typeof TARGET_KINDS)[number]
