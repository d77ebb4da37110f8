import { apiMetadataEndpoint } from '@/lib/api/own-metadata'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(apiMetadataEndpoint)
