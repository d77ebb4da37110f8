import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  outsideStorages,
  provideRestingStorage,
  RestingStorage,
  withStorages,
} from './resting-storage'

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

test('what is kept after a work does not see its storages; the part that belongs to it does', async () => {
  const other = new RestingStorage<string>()
  const both = () => [storage.getStore(), other.getStore()]
  const seen: unknown[] = []
  const transaction = async (work: () => Promise<void>) => {
    await turn()
    seen.push(['begun', ...both()])
    await work()
    seen.push(['ended', ...both()])
  }
  const work = async () => {
    await turn()
    seen.push(['work', ...both()])
  }
  await withStorages(() =>
    storage.run('it', () =>
      other.run('its other', async () => {
        await outsideStorages(work, transaction)
        seen.push(['after it', ...both()])
      }),
    ),
  )
  expect(seen).toEqual([
    ['begun', undefined, undefined],
    ['work', 'it', 'its other'],
    ['ended', undefined, undefined],
    ['after it', 'it', 'its other'],
  ])
})

test('outside a work nothing is changed', async () => {
  await turn()
  const work = (name: string) => `hello ${name}`
  expect(outsideStorages(work, (given) => given === work && given('you'))).toBe('hello you')
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
