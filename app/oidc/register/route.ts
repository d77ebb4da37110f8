import { registrationEndpoint } from '@/lib/api/registration/endpoints'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(registrationEndpoint)
