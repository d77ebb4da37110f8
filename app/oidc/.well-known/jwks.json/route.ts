import { route } from '@/lib/host/next'
import { jwksEndpoint } from '@/lib/oidc/endpoints'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(jwksEndpoint)
