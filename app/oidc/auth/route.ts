import { openAuthorizeEndpoint } from '@/lib/api/registration/authorize'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(openAuthorizeEndpoint)
