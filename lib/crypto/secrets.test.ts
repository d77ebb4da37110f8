import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveKey, newSecret, secretHasher } from './secrets'

const hasher = (secret: string) => secretHasher(deriveKey(secret, 'pepper'))

test('a secret is 256 random bits behind its prefix', () => {
  const made = Array.from({ length: 100 }, () => newSecret('ghcs'))
  expect(new Set(made).size).toBe(100)
  for (const secret of made) {
    expect(Buffer.from(secret.slice('ghcs_'.length), 'base64url')).toHaveLength(32)
  }
})

test('what is stored of it cannot be computed without GATEHOUSE_SECRET', () => {
  const secret = newSecret('ghcs')
  const stored = hasher('one')(secret)
  expect(stored).toBe(hasher('one')(secret))
  expect(stored).not.toBe(hasher('another')(secret))
  expect(stored).not.toBe(createHash('sha256').update(secret).digest('base64url'))
})
