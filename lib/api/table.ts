import type { Route } from './route'
import { applicationGrantRoutes } from './routes/application-grants'
import { applicationSecretRoutes } from './routes/application-secrets'
import { applicationRoutes } from './routes/applications'
import { keyRoutes } from './routes/keys'
import { spaceRoutes } from './routes/spaces'

/** Every route of /api/v1, and nothing that is not here. */
export const routes: readonly Route[] = [
  ...applicationRoutes,
  ...applicationSecretRoutes,
  ...applicationGrantRoutes,
  ...keyRoutes,
  ...spaceRoutes,
]
