import { route } from '@/lib/host/next'
import { deviceAuthorizationEndpoint } from '@/lib/oidc/endpoints'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(deviceAuthorizationEndpoint)
