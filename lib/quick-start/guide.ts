/** What is not as the portal has it by default; the page says it in words. */
export type Deviation = 'pkceOff' | 'pkceSet' | 'accessTokenType' | 'https' | 'oauth2Proxy'

/** A sample that runs: with the values of an application; its secret comes from the environment. */
export type Guide = {
  /** The name of the library, the same in every language. */
  label: string
  /** Lines for the terminal: what the sample reads from the environment. */
  settings: string | null
  install: string | null
  files: readonly { name: string; text: string }[]
  run: string
  /** Where to go with a browser once it runs. */
  open: string | null
  /** The address that the sample listens on, if the application has to register it. */
  redirectUri: string | null
  /** The origin of a browser's own requests, if the application has to register it. */
  origin: string | null
  needs: readonly Deviation[]
  /** Whether `npm run samples` has run it; docs/quick-starts.md has the results. */
  tested: boolean
}

/** What stands where a secret goes. */
export const SECRET = '<client secret>'
