import { SIGN_IN_METHODS, type SignInMethod } from '../base/sign-in-methods'
import type { Config } from './config'
import type { Settings } from './effective'

type Portal = Pick<Config, 'production'>

/** Mail that no server takes is printed while developing. */
const POSSIBLE: Readonly<Record<SignInMethod, (settings: Settings, portal: Portal) => boolean>> = {
  password: () => true,
  mail: ({ security, smtp }, { production }) =>
    security.mailSignIn && (smtp !== null || !production),
  passkey: () => true,
  provider: ({ providers }) => providers.length > 0,
}

/** The ways to sign in that these settings allow. */
export function possibleMethods(settings: Settings, portal: Portal): ReadonlySet<SignInMethod> {
  return new Set(SIGN_IN_METHODS.filter((method) => POSSIBLE[method](settings, portal)))
}
