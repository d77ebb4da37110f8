import { route } from '@/lib/host/next'
import { publishedMetadataEndpoint } from '@/lib/oidc/endpoints'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(publishedMetadataEndpoint)
