type PageHeaderOptions = { nonce: string; path: string; https: boolean; dev: boolean }

/** Request header that tells a page its own path and query. */
export const PATH_HEADER = 'x-gatehouse-path'
/** The same for its method: an action does not see it otherwise. */
export const METHOD_HEADER = 'x-gatehouse-method'

/** What an admin is about to save, in a frame of the page where they do; no other page is framed. */
export const PREVIEW_PATH = '/login/preview'

const POWERFUL_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]

/** Images and the files of public/ by name, so that every other path is a page. */
const FILES =
  /^\/(?:avatar\/ava_[^/]*|logo\/lgo_[^/]*|docs\/sections\.json|docs\/pictures\/[\w-]+\.svg|error-page\.css|branding\.css|favicon\.ico|favicon\.svg|logo\.svg|wordmark\.svg|robots\.txt|fonts\/[a-z-]+\.woff2)$/

export function isFile(path: string): boolean {
  return FILES.test(path)
}

/** The headers of every HTML page (RFC 9700 §4.2 and §4.16, ASVS 3.4). */
export function pageHeaders({
  nonce,
  path,
  https,
  dev,
}: PageHeaderOptions): Record<string, string> {
  const isFramed = path === PREVIEW_PATH
  return {
    'Content-Security-Policy': `${contentSecurityPolicy(nonce, dev)}; frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
    'X-Frame-Options': isFramed ? 'SAMEORIGIN' : 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': POWERFUL_FEATURES.map((feature) => `${feature}=()`).join(', '),
    'Cache-Control': 'no-store',
    ...(https && { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }),
  }
}

function contentSecurityPolicy(nonce: string, dev: boolean): string {
  // Only in development: React rebuilds server stacks with eval, and the Next.js overlay uses
  // inline styles.
  const evalInDev = dev ? " 'unsafe-eval'" : ''
  const styles = dev ? "'unsafe-inline'" : `'nonce-${nonce}'`
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evalInDev}`,
    `style-src 'self' ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}
