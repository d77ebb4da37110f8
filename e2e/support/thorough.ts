/** `npm test -- --all`; see docs/testing.md. */
export const isThorough = process.env.THOROUGH === '1'

/** For pages whose forms e2e/http sends without script: `javaScriptEnabled` of their tests. */
export const SCRIPT_SETTINGS: readonly boolean[] = isThorough ? [true, false] : [true]

export function scriptWords(javaScriptEnabled: boolean): string {
  return javaScriptEnabled ? 'with JavaScript' : 'without JavaScript'
}
