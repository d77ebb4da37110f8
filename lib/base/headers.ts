import { onceFor } from './once-for'

/** Response headers. A frozen object is a constant, which other code may keep what it made from. */
export type Headers = Readonly<Record<string, string>>

/**
 * Both, the second over the first. Of two constants it is made once: joining headers anew for every
 * answer took as long as everything else around a request together.
 */
export function joined(first: Headers, second: Headers): Headers {
  if (Object.isFrozen(first) && Object.isFrozen(second)) return joinedOnce(first)(second)
  return { ...first, ...second }
}

const joinedOnce = onceFor((first: Headers) =>
  onceFor((second: Headers) => Object.freeze({ ...first, ...second })),
)
