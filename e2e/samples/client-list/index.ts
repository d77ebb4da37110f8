import type { RuntimeName } from './runtimes'

/** Clients that nobody here wrote: how each is tried, at first with no special settings. */

export type Try = {
  /** In words for the table; null: no special settings. */
  with: string | null
  env?: Record<string, string>
  /** What an admin changes in the application that signs in or calls. */
  application?: object
  /** What an admin changes in the API that is called. */
  api?: object
}

export type Client = {
  name: string
  does: string
  on: RuntimeName
  install: string
  /** Files of e2e/samples/clients: their names there, and in the folder where they run. */
  files: Readonly<Record<string, string>>
  /** Words that are put into the files. */
  words?: Readonly<Record<string, string>>
  run: string
  walk: 'browser' | 'prompt' | 'machine' | 'check' | 'api'
  /** The path of the redirect URI. */
  callback?: string
  tries: readonly Try[]
}

const STOCK: Try = { with: null }
const pkce = (words: string): Try => ({ with: words, env: { PKCE: 'S256' } })
const pip = (packages: string) => `python3 -m venv .venv && .venv/bin/pip install ${packages}`

const PYTHON: Client[] = [
  {
    name: 'Authlib',
    does: 'signs a user in (Flask)',
    on: 'python',
    install: pip('flask authlib requests'),
    files: { 'authlib_app.py': 'app.py' },
    run: '.venv/bin/flask run --port $PORT',
    walk: 'browser',
    tries: [STOCK, pkce('`code_challenge_method="S256"`')],
  },
  {
    name: 'Authlib',
    does: 'private_key_jwt',
    on: 'python',
    install: pip('authlib requests'),
    files: { 'authlib_assertion.py': 'assertion.py' },
    run: '.venv/bin/python assertion.py',
    walk: 'machine',
    tries: [
      STOCK,
      {
        with: '“Audience of client assertions”: Compatible (application)',
        application: { assertionAudience: 'compatible' },
      },
    ],
  },
  {
    name: 'requests-oauthlib',
    does: 'signs a user in',
    on: 'python',
    install: pip('requests-oauthlib'),
    files: { 'requests_oauthlib_flow.py': 'flow.py' },
    run: '.venv/bin/python flow.py',
    walk: 'prompt',
    tries: [STOCK, pkce('`pkce="S256"`')],
  },
  {
    name: 'mozilla-django-oidc',
    does: 'signs a user in (Django)',
    on: 'python',
    install: pip('django mozilla-django-oidc'),
    files: { 'django_app.py': 'app.py' },
    run: '.venv/bin/python app.py $PORT',
    walk: 'browser',
    callback: '/oidc/callback/',
    tries: [STOCK, pkce('`OIDC_USE_PKCE = True`')],
  },
  {
    name: 'PyJWT',
    does: 'checks an access token',
    on: 'python',
    install: pip('"pyjwt[crypto]"'),
    files: { 'pyjwt_check.py': 'check.py' },
    run: '.venv/bin/python check.py',
    walk: 'check',
    tries: [STOCK],
  },
  {
    name: 'joserfc',
    does: 'checks an access token',
    on: 'python',
    install: pip('joserfc requests'),
    files: { 'joserfc_check.py': 'check.py' },
    run: '.venv/bin/python check.py',
    walk: 'check',
    tries: [STOCK],
  },
]

const OTHERS: Client[] = [
  {
    name: 'openid-client',
    does: 'signs a user in',
    on: 'node',
    install: 'npm install openid-client@6',
    files: { 'openid-client.mjs': 'flow.mjs' },
    run: 'node flow.mjs',
    walk: 'prompt',
    tries: [STOCK, pkce('`code_challenge`, as its documentation has it')],
  },
  {
    name: 'express-oauth2-jwt-bearer',
    does: 'checks an access token (Express)',
    on: 'node',
    install: 'npm install express express-oauth2-jwt-bearer',
    files: { 'express-api.mjs': 'server.mjs' },
    run: 'node server.mjs',
    walk: 'api',
    tries: [STOCK],
  },
  {
    name: 'go-oidc',
    does: 'signs a user in',
    on: 'go',
    install: 'go mod init example && go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
    files: { 'main.go': 'main.go' },
    run: 'go run .',
    walk: 'prompt',
    tries: [STOCK, pkce('`oauth2.S256ChallengeOption`')],
  },
  {
    name: 'mod_auth_openidc',
    does: 'signs a user in (Apache)',
    on: 'apache',
    install: 'mkdir public && echo You are signed in as usr_demo_alice > public/index.html',
    files: { 'openidc.conf': 'httpd.conf' },
    run: 'test -z "$PKCE" || set -- -D PKCE; apache2 -d "$PWD" -f httpd.conf -D FOREGROUND "$@"',
    walk: 'browser',
    tries: [STOCK, pkce('`OIDCPKCEMethod S256`')],
  },
]

const SPRING_RUN = 'SERVER_PORT=$PORT mvn -q spring-boot:run'

function spring(version: string): Client[] {
  const common = { on: 'maven', install: '', run: SPRING_RUN } as const
  const files = (java: string, properties: string) => ({
    'spring/pom.xml': 'pom.xml',
    [`spring/${java}.java`]: `src/main/java/example/${java}.java`,
    [`spring/${properties}.properties`]: 'src/main/resources/application.properties',
  })
  return [
    {
      ...common,
      name: 'Spring Boot client',
      does: 'signs a user in',
      files: files('Client', 'client'),
      words: { version, starter: 'spring-boot-starter-oauth2-client' },
      walk: 'browser',
      callback: '/login/oauth2/code/portal',
      tries: [STOCK],
    },
    {
      ...common,
      name: 'Spring Boot resource server',
      does: 'checks an access token',
      files: files('Api', 'api'),
      words: { version, starter: 'spring-boot-starter-oauth2-resource-server' },
      walk: 'api',
      tries: [
        STOCK,
        {
          with: '“Type of tokens”: JWT (API)',
          api: { tokenType: 'JWT' },
        },
      ],
    },
  ]
}

export const CLIENTS: readonly Client[] = [
  ...PYTHON,
  ...OTHERS,
  ...spring('4.1.1'),
  ...spring('3.5.16'),
]
