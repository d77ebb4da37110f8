import type { Route } from './route'
import { applicationGrantRoutes } from './routes/application-grants'
import { applicationSecretRoutes } from './routes/application-secrets'
import { applicationRoutes } from './routes/applications'
import { auditRoutes } from './routes/audit'
import { groupRoutes } from './routes/groups'
import { keyRoutes } from './routes/keys'
import { spaceRoutes } from './routes/spaces'
import { userRoutes } from './routes/users'

/** Every route of /api/v1, and nothing that is not here. */
export const routes: readonly Route[] = [
  ...applicationRoutes,
  ...applicationSecretRoutes,
  ...applicationGrantRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...groupRoutes,
  ...spaceRoutes,
  ...userRoutes,
]
