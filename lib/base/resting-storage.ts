import asyncHooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

/**
 * Before Node 24, a process follows each of its promises from the moment that one AsyncLocalStorage
 * was used, and never stops by itself: after the first page, every token costs 1.4 times as much.
 * These storages rest while no page is being made; the next use wakes them.
 */
export class RestingStorage<Store> extends AsyncLocalStorage<Store> {
  override run<Result, Args extends unknown[]>(
    store: Store,
    work: (...args: Args) => Result,
    ...args: Args
  ): Result {
    awake.add(this)
    return super.run(store, work, ...args)
  }

  override enterWith(store: Store): void {
    awake.add(this)
    super.enterWith(store)
  }
}

const awake = new Set<AsyncLocalStorage<unknown>>()
let works = 0

/**
 * What is loaded after this, Next.js with React above all, makes storages that rest. Since Node 22
 * the property has only a getter, so it is replaced, not assigned.
 */
export function provideRestingStorage(): void {
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: RestingStorage })
}

/** All storages rest once the last of the works that run at the same time is done. */
export async function withStorages(work: () => Promise<unknown>): Promise<void> {
  works += 1
  try {
    await work()
  } finally {
    works -= 1
    setImmediate(restIfDone)
  }
}

function restIfDone(): void {
  if (works > 0) return
  for (const storage of awake) storage.disable()
  awake.clear()
}

/**
 * Begins what somebody keeps after its page is done: before Node 24, each of its promises would keep
 * the page alive, with the request and the answer. `work`, the part that belongs to the page, finds
 * the storages as they were.
 */
export function outsideStorages<Args extends unknown[], Result, Begun>(
  work: (...args: Args) => Result,
  begin: (work: (...args: Args) => Result) => Begun,
): Begun {
  if (awake.size === 0) return begin(work)
  const inside = AsyncResource.bind(work)
  return leaving([...awake], () => begin(inside))
}

function leaving<Result>(
  [storage, ...others]: AsyncLocalStorage<unknown>[],
  work: () => Result,
): Result {
  return storage ? storage.exit(() => leaving(others, work)) : work()
}
