import { metricsEndpoint } from '@/lib/health'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(metricsEndpoint)
