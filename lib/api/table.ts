import type { Route } from './route'
import { spaceRoutes } from './routes/spaces'

/** Every route of /api/v1, and nothing that is not here. */
export const routes: readonly Route[] = [...spaceRoutes]
