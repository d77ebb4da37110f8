import type { Route } from './route'
import { applicationGrantRoutes } from './routes/application-grants'
import { applicationSecretRoutes } from './routes/application-secrets'
import { applicationRoutes } from './routes/applications'
import { assertionRoutes } from './routes/assertions'
import { assignmentRoutes } from './routes/assignments'
import { auditRoutes } from './routes/audit'
import { decisionRoutes } from './routes/decisions'
import { documentRoutes } from './routes/document'
import { dryRunRoutes } from './routes/dry-run'
import { groupRoutes } from './routes/groups'
import { impactRoutes } from './routes/impact'
import { keyRoutes } from './routes/keys'
import { modelRoutes } from './routes/model'
import { outboxRoutes } from './routes/outbox'
import { permissionRoutes } from './routes/permissions'
import { reportRoutes } from './routes/reports'
import { resourceRoutes } from './routes/resources'
import { roleRoutes } from './routes/roles'
import { settingsRoutes } from './routes/settings'
import { settingsMailRoutes } from './routes/settings-mail'
import { settingsProviderRoutes } from './routes/settings-providers'
import { spaceRoutes } from './routes/spaces'
import { userRoutes } from './routes/users'

/** In the order of the reference. */
const described: readonly Route[] = [
  ...decisionRoutes,
  ...dryRunRoutes,
  ...impactRoutes,
  ...reportRoutes,
  ...spaceRoutes,
  ...modelRoutes,
  ...assertionRoutes,
  ...resourceRoutes,
  ...permissionRoutes,
  ...roleRoutes,
  ...assignmentRoutes,
  ...applicationRoutes,
  ...applicationSecretRoutes,
  ...applicationGrantRoutes,
  ...keyRoutes,
  ...userRoutes,
  ...groupRoutes,
  ...settingsRoutes,
  ...settingsProviderRoutes,
  ...settingsMailRoutes,
  ...auditRoutes,
  ...outboxRoutes,
]

/** Every route of /api/v1, and nothing that is not here. */
export const routes: readonly Route[] = [...described, ...documentRoutes(described)]
