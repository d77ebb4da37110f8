import type { FirstFactorResult } from '../accounts/first-factor'
import { keepMethod, keepWaiting } from './browser-memory'
import { returningTo } from './return-to'
import { beginSession } from './session'

/** What follows the first factor: the next URL, or the page for the second factor. */
export async function afterSignIn(
  admission: FirstFactorResult,
  method: string,
  returnTo: string,
): Promise<string> {
  await keepMethod(method)
  if (admission.step === 'second_factor') {
    await keepWaiting(admission.waiting)
    return returningTo('/second-factor', returnTo)
  }
  await beginSession(admission.started)
  return returnTo
}
