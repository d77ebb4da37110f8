import { expect, test } from 'vitest'
import { fillIn } from './fill-in'

const TEXT = 'curl https://portal.example/oidc/token -d client_id=YOUR_CLIENT_ID # YOUR_USER_ID'

test('what is known stands in the examples', () => {
  const values = { origin: 'https://id.acme.example', clientId: 'app_1', userId: 'usr_1' }
  expect(fillIn(TEXT, values)).toBe(
    'curl https://id.acme.example/oidc/token -d client_id=app_1 # usr_1',
  )
})

test('what is not known stays a placeholder', () => {
  const values = { origin: 'https://id.acme.example', clientId: null, userId: null }
  expect(fillIn(TEXT, values)).toContain('client_id=YOUR_CLIENT_ID # YOUR_USER_ID')
})
