import { expect, test } from 'vitest'
import { stepName } from './steps'

test.each([
  ['GET', '/oidc/auth?client_id=app', 'GET /oidc/auth'],
  ['GET', '/oidc/auth/int_AaH1oyRf_F8c', 'GET /oidc/auth/...'],
  ['POST', '/login?returnTo=%2F&identifier=a%40b', 'POST /login, the password step'],
  ['GET', '/login?returnTo=%2F', 'GET /login'],
])('the step of %s %s has the same name in every sign-in', (method, path, name) => {
  expect(stepName(method, path)).toBe(name)
})
