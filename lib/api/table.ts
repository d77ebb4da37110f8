import type { Route } from './route'
import { assertionRoutes } from './routes/assertions'
import { assignmentRoutes } from './routes/assignments'
import { decisionRoutes } from './routes/decisions'
import { documentRoutes } from './routes/document'
import { dryRunRoutes } from './routes/dry-run'
import { impactRoutes } from './routes/impact'
import { modelRoutes } from './routes/model'
import { permissionRoutes } from './routes/permissions'
import { reportRoutes } from './routes/reports'
import { resourceRoutes } from './routes/resources'
import { roleRoutes } from './routes/roles'
import { spaceRoutes } from './routes/spaces'

const described: readonly Route[] = [
  ...spaceRoutes,
  ...modelRoutes,
  ...assertionRoutes,
  ...resourceRoutes,
  ...permissionRoutes,
  ...roleRoutes,
  ...assignmentRoutes,
  ...decisionRoutes,
  ...dryRunRoutes,
  ...impactRoutes,
  ...reportRoutes,
]

/** Every route of /api/v1, and nothing that is not here. */
export const routes: readonly Route[] = [...described, ...documentRoutes(described)]
