export type Session = {
  id: string
  authTime: Date
  user: {
    id: string
    name: string | null
    email: string | null
    adminRole: 'owner' | 'admin' | 'auditor' | 'app_manager' | null
  }
}

export type StartedSession = { secret: string; expiresAt: Date }

export async function currentSession(): Promise<Session | null> {
  if (process.env.FACE_FAILS) throw new Error('the store did not answer')
  if (!process.env.FACE_SIGNED_IN) return null
  return {
    id: 'ses_stub',
    authTime: new Date(Date.now() - 12 * 60_000),
    user: { id: 'usr_stub', name: 'Ada Moreau', email: 'ada@example.org', adminRole: 'owner' },
  }
}

export async function beginSession(_started: StartedSession): Promise<void> {}

export async function endCurrentSession(): Promise<void> {}

export async function requestOrigin(): Promise<{ ip: string; userAgent: string }> {
  return { ip: '127.0.0.1', userAgent: '' }
}
