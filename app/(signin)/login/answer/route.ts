import { passwordForm } from '@/lib/browser/page-forms'
import { route } from '@/lib/host/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(passwordForm)
