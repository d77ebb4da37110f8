import type { Client } from '../../lib/oidc/client'
import { NO_CLAIMS } from '../../lib/oidc/requested-claims'
import type { Authorization, StoredCode, StoredDevice, TokenGrant } from '../../lib/oidc/stores'
import { APP, application, CALLBACK, NOW, USER } from './protocol'

/** What a user approved, as the grant types find it in the store. */

export const later = (milliseconds: number) => new Date(NOW + milliseconds)

export function clientOf(more: Partial<Client> = {}): Client {
  return { id: APP, application: application(), accessKey: null, confidential: true, ...more }
}

const AUTHORIZATION: Authorization = {
  applicationId: APP,
  accessKeyId: null,
  userId: USER,
  scopes: ['openid'],
  resources: [],
  claims: NO_CLAIMS,
  authTime: new Date(NOW),
  acr: 'pwd',
  amr: ['pwd'],
}

export function tokenGrant(more: Partial<TokenGrant> = {}): TokenGrant {
  return {
    ...AUTHORIZATION,
    id: 'tgr',
    sessionId: 'ses',
    offline: false,
    createdAt: new Date(NOW),
    expiresAt: later(1_000),
    alive: true,
    ended: null,
    endedFor: null,
    ...more,
  }
}

export function storedCode(more: Partial<StoredCode> = {}): StoredCode {
  return {
    ...AUTHORIZATION,
    codeHash: 'code',
    sessionId: 'ses',
    redirectUri: CALLBACK,
    challenge: null,
    nonce: null,
    createdAt: new Date(NOW),
    expiresAt: later(1_000),
    usedAt: null,
    tokenGrantId: null,
    ...more,
  }
}

export function storedDevice(more: Partial<StoredDevice> = {}): StoredDevice {
  const { userId, authTime, acr, amr, ...approved } = AUTHORIZATION
  return {
    ...approved,
    id: 'dva',
    deviceCodeHash: 'device',
    userCodeHash: 'user',
    acrValues: [],
    ip: null,
    intervalSeconds: 5,
    createdAt: new Date(NOW),
    expiresAt: later(1_000),
    approval: { userId, authTime, acr, amr, sessionId: 'ses' },
    deniedAt: null,
    usedAt: null,
    ...more,
  }
}
