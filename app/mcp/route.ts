import { mcpEndpoint } from '@/lib/api/mcp/endpoint'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(mcpEndpoint)
