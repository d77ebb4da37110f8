import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { provideRestingStorage, RestingStorage, withStorages } from './resting-storage'

const storage = new RestingStorage<string>()

test('a work finds what it was started with, after the storages have rested too', async () => {
  for (const name of ['first', 'second']) {
    await withStorages(() =>
      storage.run(name, async () => {
        await turn()
        expect(storage.getStore()).toBe(name)
      }),
    )
    await turn()
    expect(isFollowed()).toBe(false)
  }
})

test('no storage rests while another work runs', async () => {
  const slow = withStorages(() =>
    storage.run('slow', async () => {
      await turn()
      await turn()
      await turn()
      expect(storage.getStore()).toBe('slow')
    }),
  )
  await withStorages(async () => {})
  await slow
})

test('a work that fails lets the storages rest, and its error through', async () => {
  const failing = withStorages(() => storage.run('it', () => Promise.reject(new Error('broken'))))
  await expect(failing).rejects.toThrow('broken')
  await turn()
  expect(isFollowed()).toBe(false)
})

test.each([
  ['a value, as in Node 20', { value: AsyncLocalStorage, writable: true }],
  ['a getter, as in Node 22 and 24', { get: () => AsyncLocalStorage }],
])('the property of node:async_hooks may be %s', (_kind, property) => {
  const before = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage') ?? {}
  try {
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { configurable: true, ...property })
    provideRestingStorage()
    expect(asyncHooks.AsyncLocalStorage).toBe(RestingStorage)
  } finally {
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', before)
  }
})

/** Node 24 follows no promises, and its storages do not say. */
function isFollowed(): boolean {
  return 'enabled' in storage && storage.enabled === true
}
