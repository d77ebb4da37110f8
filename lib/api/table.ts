import type { Route } from './route'
import { assertionRoutes } from './routes/assertions'
import { assignmentRoutes } from './routes/assignments'
import { decisionRoutes } from './routes/decisions'
import { dryRunRoutes } from './routes/dry-run'
import { modelRoutes } from './routes/model'
import { permissionRoutes } from './routes/permissions'
import { resourceRoutes } from './routes/resources'
import { roleRoutes } from './routes/roles'
import { spaceRoutes } from './routes/spaces'

/** Every route of /api/v1, and nothing that is not here. */
export const routes: readonly Route[] = [
  ...assertionRoutes,
  ...assignmentRoutes,
  ...decisionRoutes,
  ...dryRunRoutes,
  ...modelRoutes,
  ...permissionRoutes,
  ...resourceRoutes,
  ...roleRoutes,
  ...spaceRoutes,
]
