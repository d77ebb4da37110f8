import { route } from '@/lib/host/next'
import { healthEndpoint } from '@/lib/operations/health'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(healthEndpoint)
