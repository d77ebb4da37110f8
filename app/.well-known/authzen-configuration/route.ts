import { authzenMetadataEndpoint } from '@/lib/api/authzen/endpoints'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(authzenMetadataEndpoint)
