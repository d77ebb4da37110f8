import { accessRequestEndpoint } from '@/lib/api/authzen/request'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(accessRequestEndpoint)
