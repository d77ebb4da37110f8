import { onwardPageEndpoint } from '@/lib/browser/onward-page'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(onwardPageEndpoint)
