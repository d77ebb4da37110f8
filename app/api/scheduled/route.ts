import { route } from '@/lib/host/next'
import { scheduledEndpoint } from '@/lib/operations/scheduled/endpoint'

/** In seconds, as long as a scheduler may wait. */
export const maxDuration = 60

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(scheduledEndpoint)
