// The layers of lib, of lib/store and of lib/api, the lowest first. A layer may import the layers
// before it and no others.
const LIB = [
  'base',
  'crypto',
  'access',
  'i18n',
  'docs',
  'oidc',
  'store',
  'keys',
  'settings',
  'upstream',
  'context',
  'limits',
  'delivery',
  'accounts',
  'op',
  'api',
  'operations',
  'quick-start',
  'browser',
  'host',
  'admin',
]

const STORE = [
  'database',
  'audit',
  'delivery',
  'requests',
  'accounts',
  'permissions',
  'applications',
  'reviews',
  'policy',
  'tokens',
  'operations',
]

const API = [
  'http',
  'openapi',
  'decision',
  'authority',
  'settings',
  'delivery',
  'requests',
  'authzen',
  'permissions',
  'users',
  'applications',
  'registration',
  'records',
  'impact',
  'configuration',
  'replay',
  'reviews',
  'mcp',
  'table',
  'reference',
]

export const LAYERS = { lib: LIB, 'lib/store': STORE, 'lib/api': API }
