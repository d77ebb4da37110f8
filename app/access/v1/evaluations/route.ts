import { authzen } from '@/lib/api/authzen/endpoints'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  authzen.access_evaluations_endpoint,
)
