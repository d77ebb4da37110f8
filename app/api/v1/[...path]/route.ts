import { apiEndpoint } from '@/lib/api/table'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(apiEndpoint)
