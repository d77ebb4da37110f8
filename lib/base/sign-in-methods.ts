/** The ways to sign in that the sign-in page can offer, in the order in which it does by itself. */
export const SIGN_IN_METHODS = ['password', 'mail', 'passkey', 'provider'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/** A method that the order leaves out follows the others, so a new one is offered at once. */
export type MethodChoice = { order: readonly SignInMethod[]; hidden: readonly SignInMethod[] }

export const EVERY_METHOD: MethodChoice = { order: SIGN_IN_METHODS, hidden: [] }

export function methodsInOrder(order: readonly SignInMethod[]): SignInMethod[] {
  return [...new Set([...order, ...SIGN_IN_METHODS])]
}

/** `possible`: what the portal could offer now. */
export function shownMethods(
  { order, hidden }: MethodChoice,
  possible: ReadonlySet<SignInMethod>,
): SignInMethod[] {
  return methodsInOrder(order).filter((one) => possible.has(one) && !hidden.includes(one))
}

/**
 * What a page offers. If what is shown is no longer possible, such as the last provider, the page
 * offers what is hidden: nobody is locked out.
 */
export function offeredMethods(
  choice: MethodChoice,
  possible: ReadonlySet<SignInMethod>,
): SignInMethod[] {
  const shown = shownMethods(choice, possible)
  return shown.length > 0 ? shown : shownMethods({ ...choice, hidden: [] }, possible)
}
