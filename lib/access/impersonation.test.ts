import { describe, expect, test } from 'vitest'
import { ADMIN_ROLES } from './authority'
import {
  type ImpersonationFacts,
  type ImpersonationSettings,
  letsMoreIn,
  mayImpersonate,
  obstacleTo,
} from './impersonation'

/** Who may be in the account of whom: nobody gets anything that they do not hold. */

const OPEN: ImpersonationFacts = {
  settings: { impersonation: 'full', impersonators: 'admins' },
  mode: 'full',
  admin: { id: 'usr_admin', adminRole: 'admin' },
  user: { id: 'usr_alice', adminRole: null, disabled: false, leaving: false },
  inEmergency: false,
  mayActAs: true,
}
const owner = { id: 'usr_owner', adminRole: 'owner' } as const
const user = (more: Partial<ImpersonationFacts['user']>) => ({ user: { ...OPEN.user, ...more } })
const settings = (more: Partial<ImpersonationSettings>) => ({
  settings: { ...OPEN.settings, ...more },
})

describe('obstacleTo', () => {
  test.each<[string, Partial<ImpersonationFacts>, ReturnType<typeof obstacleTo>]>([
    ['nothing is against it', {}, null],
    ['it is switched off', settings({ impersonation: 'off' }), 'impersonation_off'],
    [
      'it is switched off, for an owner too',
      { ...settings({ impersonation: 'off' }), admin: owner },
      'impersonation_off',
    ],
    ['only owners may', settings({ impersonators: 'owners' }), 'impersonation_not_yours'],
    ['an owner', { ...settings({ impersonators: 'owners' }), admin: owner }, null],
    ['an auditor', { admin: { id: 'usr_x', adminRole: 'auditor' } }, 'impersonation_not_yours'],
    [
      'an app manager',
      { admin: { id: 'usr_x', adminRole: 'app_manager' } },
      'impersonation_not_yours',
    ],
    ['no admin at all', { admin: { id: 'usr_x', adminRole: null } }, 'impersonation_not_yours'],
    [
      'more than the settings allow',
      settings({ impersonation: 'read_only' }),
      'impersonation_mode',
    ],
    ['less than the settings allow', { mode: 'read_only' }, null],
    ['a mode that does not exist', { mode: 'root' }, 'impersonation_mode'],
    ['a mode that the settings know and nobody is in', { mode: 'off' }, 'impersonation_mode'],
    ['oneself', user({ id: 'usr_admin' }), 'own_account'],
    ['an owner by an admin', user({ adminRole: 'owner' }), 'impersonation_owner'],
    ['an owner by an owner', { ...user({ adminRole: 'owner' }), admin: owner }, null],
    ['somebody disabled', user({ disabled: true }), 'impersonation_inactive'],
    ['somebody who leaves', user({ leaving: true }), 'impersonation_inactive'],
    ['a running emergency', { inEmergency: true }, 'impersonation_emergency'],
    [
      'a running emergency, for an owner too',
      { inEmergency: true, admin: owner },
      'impersonation_emergency',
    ],
    ['somebody who holds or decides more', { mayActAs: false }, 'impersonation_above'],
  ])('Q240: %s', (_name, more, obstacle) => {
    expect(obstacleTo({ ...OPEN, ...more })).toBe(obstacle)
  })
})

test('only owners may by default, and admins where the settings say so', () => {
  const may = (impersonators: 'owners' | 'admins') =>
    ADMIN_ROLES.filter((role) => mayImpersonate({ impersonators }, role))
  expect([may('owners'), may('admins')]).toEqual([['owner'], ['owner', 'admin']])
})

test.each([
  ['off', 'owners', 'read_only', 'owners', true],
  ['read_only', 'owners', 'full', 'owners', true],
  ['full', 'owners', 'full', 'admins', true],
  ['off', 'owners', 'off', 'admins', true],
  ['full', 'admins', 'read_only', 'admins', false],
  ['full', 'admins', 'full', 'owners', false],
  ['read_only', 'owners', 'read_only', 'owners', false],
] as const)('Q249: %s for %s, then %s for %s: more? %s', (a, b, c, d, more) => {
  const [before, after] = [
    { impersonation: a, impersonators: b },
    { impersonation: c, impersonators: d },
  ]
  expect(letsMoreIn(before, after)).toBe(more)
})
