import { mcpMetadataEndpoint } from '@/lib/api/mcp/metadata'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(mcpMetadataEndpoint)
