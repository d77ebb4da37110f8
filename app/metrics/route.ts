import { route } from '@/lib/host/next'
import { metricsEndpoint } from '@/lib/operations/health'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(metricsEndpoint)
