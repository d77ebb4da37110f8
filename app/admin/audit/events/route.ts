import { adminPage } from '@/lib/admin/api'
import { EVENT_NAMES } from '@/lib/base/events'
import { currentMessages } from '@/lib/browser/locale'

/** Such as `user.*`; anything else may be typed. */
const FAMILIES = [...new Set(EVENT_NAMES.map((name) => `${name.split('.')[0]}.*`))]

/** What the audit log can be asked for, with what each event means to the reader. */
export async function GET(): Promise<Response> {
  await adminPage('/admin/audit')
  const { events, admin } = await currentMessages()
  return Response.json([
    ...FAMILIES.map((family) => ({ value: family, label: family, hint: admin.webhooks.allOf })),
    ...EVENT_NAMES.map((name) => ({ value: name, label: name, hint: events[name] })),
  ])
}
