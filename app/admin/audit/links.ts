import type { AuditEventWire } from '@/lib/api/records/audit'

/** Where the people and things of an entry have pages of their own. */

const PAGES: Record<string, string> = {
  user: '/admin/users',
  application: '/admin/applications',
  role: '/admin/roles',
  group: '/admin/groups',
  resource: '/admin/apis',
  signing_key: '/admin/keys',
  webhook: '/admin/webhooks',
}

function pageOf(kind: string, id: string): string | null {
  const page = Object.hasOwn(PAGES, kind) ? PAGES[kind] : undefined
  return page === undefined ? null : `${page}/${encodeURIComponent(id)}`
}

type Actor = Pick<AuditEventWire, 'actorKind' | 'actorId' | 'applicationId'>

export function actorHref({ actorKind, actorId, applicationId }: Actor): string | null {
  if (actorKind === 'user' && actorId !== null) return pageOf('user', actorId)
  // An access key acts for its application, which has the page.
  const application = applicationId ?? actorId
  return actorKind === 'client' && application !== null ? pageOf('application', application) : null
}

type Target = Pick<AuditEventWire, 'targetKind' | 'targetId' | 'applicationId'>

export function targetHref({ targetKind, targetId, applicationId }: Target): string | null {
  if (targetKind === null || targetId === null) return null
  const own = pageOf(targetKind, targetId)
  if (own !== null || applicationId === null) return own
  return pageOf('application', applicationId)
}

/** The same question again, where it can be taken apart. */
export function explanationHref(entry: AuditEventWire): string | null {
  const { event, actorKind, actorId, applicationId, targetKind, targetId, detail } = entry
  if (event === 'permission.refused' && targetKind === 'user' && targetId !== null) {
    return withSearch('/admin/why', { user: targetId, permission: textOf(detail.permission) })
  }
  if (event !== 'token.issued' && event !== 'token.refused') return null
  const client = actorKind === 'client' ? actorId : applicationId
  if (client === null) return null
  const scope = [...scopesGranted(detail), ...scopesRefused(detail).map((one) => one.scope)]
  const user = actorKind === 'user' ? { user: actorId ?? '' } : {}
  return withSearch('/admin/simulator', { client, ...user, scope: scope.join(' ') })
}

export function scopesGranted(detail: Detail): string[] {
  return listOf(detail.scope).filter((scope) => typeof scope === 'string')
}

export function scopesRefused(detail: Detail): { scope: string; code: string }[] {
  const refused = detail.refused ?? detail.scope_rejected_reasons
  return listOf(refused).flatMap((one) => {
    const { scope, code } = (one ?? {}) as { scope?: unknown; code?: unknown }
    return typeof scope === 'string' ? [{ scope, code: textOf(code) }] : []
  })
}

type Detail = AuditEventWire['detail']

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function withSearch(path: string, search: Record<string, string>): string {
  return `${path}?${new URLSearchParams(search)}`
}
