import { keyRoutes } from './applications/access-keys'
import { applicationRoutes } from './applications/applications'
import { applicationBrandingRoutes } from './applications/branding'
import { applicationConsentRoutes } from './applications/consent'
import { applicationGrantRoutes } from './applications/grants'
import { applicationPeopleRoutes } from './applications/people'
import { applicationPublicKeyRoutes } from './applications/public-key-uses'
import { applicationRefusalRoutes } from './applications/refusals'
import { applicationSecretRoutes } from './applications/secrets'
import { testLoginRoutes } from './applications/test-logins'
import { tokenInspectionRoutes } from './applications/token-inspection'
import { configurationRoutes } from './configuration/routes'
import { outboxRoutes } from './delivery/outbox'
import { outboxMessageRoutes } from './delivery/outbox-messages'
import { webhookDeliveryRoutes } from './delivery/webhook-deliveries'
import { webhookRoutes } from './delivery/webhooks'
import { apiOf } from './http/endpoint'
import type { TaggedOperation } from './http/operation'
import { dryRunRoutes } from './impact/dry-run'
import { impactRoutes } from './impact/routes'
import { documentRoutes } from './openapi/document'
import { assertionRoutes } from './permissions/assertions'
import { assignmentRoutes } from './permissions/assignments'
import { conditionRoutes } from './permissions/condition-check'
import { decisionRoutes } from './permissions/decisions'
import { groupRoutes } from './permissions/groups'
import { modelRoutes } from './permissions/model-routes'
import { permissionRoutes } from './permissions/permissions'
import { resourceGrantRoutes } from './permissions/resource-grants'
import { resourceMetadataRoutes } from './permissions/resource-metadata'
import { resourceOverviewRoutes } from './permissions/resource-overview'
import { resourceRoutes } from './permissions/resources'
import { roleOverviewRoutes } from './permissions/role-overview'
import { rolePermissionRoutes } from './permissions/role-permissions'
import { roleRoutes } from './permissions/roles'
import { spaceRoutes } from './permissions/spaces'
import { activityRoutes } from './records/activity'
import { auditRoutes } from './records/audit'
import { auditExportRoutes } from './records/audit-export'
import { auditViewRoutes } from './records/audit-views'
import { cleanUpRoutes } from './records/clean-up'
import { firstStepsRoutes } from './records/first-steps'
import { healthRoutes } from './records/health'
import { reportRoutes } from './records/reports'
import { searchRoutes } from './records/search'
import { initialTokenRoutes } from './registration/initial-access-tokens'
import { replayRoutes } from './replay/routes'
import { accessRequestAskingRoutes } from './requests/asking-routes'
import { accessRequestReviewRoutes } from './requests/review-routes'
import { accessRequestRoutes } from './requests/routes'
import { requestRuleRoutes } from './requests/rule-routes'
import { reviewRoutes } from './reviews/routes'
import { reviewStartRoutes } from './reviews/start-routes'
import { settingsBrandingRoutes } from './settings/branding'
import { settingsMailRoutes } from './settings/mail'
import { settingsProviderRoutes } from './settings/providers'
import { settingsRoutes } from './settings/routes'
import { signingKeyRoutes } from './settings/signing-keys'
import { impersonationRoutes } from './users/impersonations'
import { userMergeRoutes } from './users/merge'
import { userAccessRoutes } from './users/user-access'
import { userBatchRoutes } from './users/user-batch'
import { userFileRoutes } from './users/user-files'
import { userMembershipRoutes } from './users/user-memberships'
import { userOverviewRoutes } from './users/user-overview'
import { userRoleRoutes } from './users/user-roles'
import { userRoutes } from './users/users'

/** In the order of the reference. */
const described: readonly TaggedOperation[] = [
  ...decisionRoutes,
  ...dryRunRoutes,
  ...impactRoutes,
  ...replayRoutes,
  ...conditionRoutes,
  ...reportRoutes,
  ...cleanUpRoutes,
  ...spaceRoutes,
  ...modelRoutes,
  ...assertionRoutes,
  ...resourceRoutes,
  ...resourceOverviewRoutes,
  ...resourceMetadataRoutes,
  ...resourceGrantRoutes,
  ...requestRuleRoutes,
  ...accessRequestAskingRoutes,
  ...accessRequestRoutes,
  ...reviewStartRoutes,
  ...reviewRoutes,
  ...accessRequestReviewRoutes,
  ...permissionRoutes,
  ...roleRoutes,
  ...rolePermissionRoutes,
  ...roleOverviewRoutes,
  ...assignmentRoutes,
  ...userRoleRoutes,
  ...applicationRoutes,
  ...applicationSecretRoutes,
  ...applicationGrantRoutes,
  ...applicationBrandingRoutes,
  ...applicationConsentRoutes,
  ...applicationPeopleRoutes,
  ...applicationPublicKeyRoutes,
  ...applicationRefusalRoutes,
  ...keyRoutes,
  ...userRoutes,
  ...userOverviewRoutes,
  ...userMergeRoutes,
  ...userMembershipRoutes,
  ...userAccessRoutes,
  ...impersonationRoutes,
  ...userFileRoutes,
  ...userBatchRoutes,
  ...groupRoutes,
  ...settingsRoutes,
  ...settingsBrandingRoutes,
  ...settingsProviderRoutes,
  ...settingsMailRoutes,
  ...initialTokenRoutes,
  ...configurationRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...signingKeyRoutes,
  ...auditRoutes,
  ...auditExportRoutes,
  ...auditViewRoutes,
  ...activityRoutes,
  ...firstStepsRoutes,
  ...healthRoutes,
  ...outboxMessageRoutes,
  ...outboxRoutes,
  ...searchRoutes,
  ...tokenInspectionRoutes,
  ...testLoginRoutes,
]

/** Every route of /api/v1. */
export const routes: readonly TaggedOperation[] = [...described, ...documentRoutes(described)]

export const { endpoint: apiEndpoint, answer: answerApi } = apiOf(routes)
