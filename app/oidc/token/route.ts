import { route } from '@/lib/host/next'
import { tokenEndpoint } from '@/lib/oidc/endpoints'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(tokenEndpoint)
