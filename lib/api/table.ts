import type { AnyOperation } from './operation'
import { accessRequestAskingRoutes } from './routes/access-request-asking'
import { accessRequestReviewRoutes } from './routes/access-request-review'
import { accessRequestRoutes } from './routes/access-requests'
import { activityRoutes } from './routes/activity'
import { applicationBrandingRoutes } from './routes/application-branding'
import { applicationConsentRoutes } from './routes/application-consent'
import { applicationGrantRoutes } from './routes/application-grants'
import { applicationPeopleRoutes } from './routes/application-people'
import { applicationPublicKeyRoutes } from './routes/application-public-keys'
import { applicationRefusalRoutes } from './routes/application-refusals'
import { applicationSecretRoutes } from './routes/application-secrets'
import { applicationRoutes } from './routes/applications'
import { assertionRoutes } from './routes/assertions'
import { assignmentRoutes } from './routes/assignments'
import { auditRoutes } from './routes/audit'
import { auditExportRoutes } from './routes/audit-export'
import { auditViewRoutes } from './routes/audit-views'
import { cleanUpRoutes } from './routes/clean-up'
import { conditionRoutes } from './routes/conditions'
import { configurationRoutes } from './routes/configuration'
import { decisionRoutes } from './routes/decisions'
import { documentRoutes } from './routes/document'
import { dryRunRoutes } from './routes/dry-run'
import { groupRoutes } from './routes/groups'
import { healthRoutes } from './routes/health'
import { impactRoutes } from './routes/impact'
import { initialTokenRoutes } from './routes/initial-access-tokens'
import { keyRoutes } from './routes/keys'
import { modelRoutes } from './routes/model'
import { outboxRoutes } from './routes/outbox'
import { outboxMessageRoutes } from './routes/outbox-messages'
import { permissionRoutes } from './routes/permissions'
import { replayRoutes } from './routes/replay'
import { reportRoutes } from './routes/reports'
import { requestRuleRoutes } from './routes/request-rules'
import { resourceGrantRoutes } from './routes/resource-grants'
import { resourceMetadataRoutes } from './routes/resource-metadata'
import { resourceOverviewRoutes } from './routes/resource-overview'
import { resourceRoutes } from './routes/resources'
import { reviewStartRoutes } from './routes/review-start'
import { reviewRoutes } from './routes/reviews'
import { roleOverviewRoutes } from './routes/role-overview'
import { rolePermissionRoutes } from './routes/role-permissions'
import { roleRoutes } from './routes/roles'
import { searchRoutes } from './routes/search'
import { settingsRoutes } from './routes/settings'
import { settingsMailRoutes } from './routes/settings-mail'
import { settingsProviderRoutes } from './routes/settings-providers'
import { signingKeyRoutes } from './routes/signing-keys'
import { spaceRoutes } from './routes/spaces'
import { testLoginRoutes } from './routes/test-logins'
import { tokenInspectionRoutes } from './routes/token-inspection'
import { userAccessRoutes } from './routes/user-access'
import { userBatchRoutes } from './routes/user-batch'
import { userFileRoutes } from './routes/user-files'
import { userRoleRoutes } from './routes/user-roles'
import { userStandingRoutes } from './routes/user-standing'
import { userRoutes } from './routes/users'
import { webhookDeliveryRoutes } from './routes/webhook-deliveries'
import { webhookRoutes } from './routes/webhooks'

/** In the order of the reference. */
const described: readonly AnyOperation[] = [
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
  ...userStandingRoutes,
  ...userAccessRoutes,
  ...userFileRoutes,
  ...userBatchRoutes,
  ...groupRoutes,
  ...settingsRoutes,
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
  ...healthRoutes,
  ...outboxMessageRoutes,
  ...outboxRoutes,
  ...searchRoutes,
  ...tokenInspectionRoutes,
  ...testLoginRoutes,
]

/** Every route of /api/v1. */
export const routes: readonly AnyOperation[] = [...described, ...documentRoutes(described)]
