import type { Application } from '../oidc/client'
import { type Deviation, SECRET } from './guide'

/**
 * The samples by what they are for, the most likely first. Their files are templates, in
 * `templates/` in a folder with their name; `settings`, `install`, `run` and `open` are templates too.
 */

export type Sample = {
  label: string
  settings?: string
  install?: string
  files: readonly string[]
  run: string
  /** It listens at a redirect URI: that of the application, or one with the path of the product. */
  callback?: 'registered' | `/${string}`
  /** Where to go with a browser; by default the root of the server that listens. */
  open?: string
  /** A redirect URI that it has by itself. */
  redirectUri?: string
  /** It sends requests from the browser. */
  inBrowser?: true
  needs?: readonly Deviation[]
  tested?: false
  /** Another folder of templates. */
  folder?: string
  /** More values of its templates. */
  values?: Readonly<Record<string, string>>
}

type Samples = Readonly<Record<string, Sample>>

const SECRET_LINE = `export CLIENT_SECRET='${SECRET}'`
/** A value that only the sample itself has to know. */
const SESSION_LINE = 'export SESSION_SECRET="$(openssl rand -hex 32)"'
const SECRET_AND_SESSION = `${SECRET_LINE}\n${SESSION_LINE}`
/** The private key of an application that has no secret is a JWK in a file (RFC 7517). */
const CREDENTIAL_LINE = `{{?byKey}}export CLIENT_KEY_FILE=private-key.json\n{{?!byKey}}${SECRET_LINE}`

const CURL = { label: 'curl', files: ['token.sh'], run: 'sh token.sh' }
/** The whole authorization code flow by hand: print the address, paste the code. */
const CURL_CODE_FLOW = {
  ...CURL,
  settings: `{{?confidential}}${SECRET_LINE}`,
  folder: 'web/curl',
}

const NEW_DOTNET_WEB = 'dotnet new web --name Example --output . && dotnet add package'
const GO_GET = 'go mod init example && go get'
const GO_OIDC = 'github.com/coreos/go-oidc/v3/oidc'
/** In a folder of its own: many systems refuse to install packages for everybody. */
const PIP_INSTALL = 'python3 -m venv .venv && .venv/bin/pip install'
const CARGO_ADD = 'cargo init --name example . && cargo add'
const SPRING_FILES = [
  'pom.xml',
  'src/main/resources/application.yml',
  'src/main/java/example/App.java',
]

const OAUTH2_PROXY = {
  settings: `export OAUTH2_PROXY_CLIENT_SECRET='${SECRET}'
export OAUTH2_PROXY_COOKIE_SECRET="$(openssl rand -hex 16)"`,
  callback: '/oauth2/callback',
  tested: false,
} as const
/** Asked by another server, which passes the requests on itself. */
const BESIDE_A_SERVER = {
  ...OAUTH2_PROXY,
  needs: ['oauth2Proxy'],
  values: { address: '127.0.0.1:4180', upstream: 'static://202' },
} as const

const WEB: Samples = {
  next: {
    label: 'Next.js',
    settings: `${SECRET_LINE}
export NEXTAUTH_SECRET="$(openssl rand -base64 32)"
export NEXTAUTH_URL={{callbackOrigin}}`,
    install: 'npm install next react react-dom next-auth@4',
    files: ['auth.js', 'app/api/auth/[...nextauth]/route.js', 'app/layout.jsx', 'app/page.jsx'],
    run: 'npx next dev --port {{port}}',
    callback: '/api/auth/callback/gatehouse',
  },
  express: {
    label: 'Express',
    settings: `${CREDENTIAL_LINE}\n${SESSION_LINE}`,
    install: `{{?byKey}}npm install express express-session jose@6 openid-client@6
{{?!byKey}}npm install express express-session openid-client@6`,
    files: ['server.mjs'],
    run: 'node server.mjs',
    callback: 'registered',
  },
  hono: {
    label: 'Hono',
    settings: SECRET_AND_SESSION,
    install: 'npm install hono @hono/node-server openid-client@6',
    files: ['server.mjs'],
    run: 'node server.mjs',
    callback: 'registered',
  },
  python: {
    label: 'Python',
    settings: SECRET_AND_SESSION,
    install: `${PIP_INSTALL} flask authlib requests`,
    files: ['app.py'],
    run: '.venv/bin/flask run --port {{port}}',
    callback: 'registered',
  },
  go: {
    label: 'Go',
    settings: SECRET_LINE,
    install: `${GO_GET} ${GO_OIDC} golang.org/x/oauth2`,
    files: ['main.go'],
    run: 'go run .',
    callback: 'registered',
  },
  spring: {
    label: 'Spring Boot',
    settings: SECRET_LINE,
    files: SPRING_FILES,
    run: 'mvn spring-boot:run',
    callback: '/login/oauth2/code/gatehouse',
    needs: ['pkceSet'],
    values: { starter: 'spring-boot-starter-security-oauth2-client' },
  },
  dotnet: {
    label: '.NET',
    settings: SECRET_LINE,
    install: `${NEW_DOTNET_WEB} Microsoft.AspNetCore.Authentication.OpenIdConnect`,
    files: ['Program.cs'],
    run: 'dotnet run --urls {{callbackOrigin}}',
    callback: '/signin-oidc',
    tested: false,
  },
  php: {
    label: 'PHP',
    settings: SECRET_LINE,
    install: 'composer require jumbojett/openid-connect-php',
    files: ['index.php'],
    run: 'php -S localhost:{{port}} index.php',
    callback: 'registered',
    tested: false,
  },
  apache: {
    label: 'Apache',
    settings: SECRET_AND_SESSION,
    install: 'sudo apt-get install apache2 libapache2-mod-auth-openidc',
    files: ['gatehouse.conf', 'try-it.conf', 'public/index.html'],
    run: 'apache2 -d "$PWD" -f try-it.conf -D FOREGROUND',
    callback: 'registered',
  },
  nginx: {
    ...BESIDE_A_SERVER,
    label: 'nginx',
    files: ['oauth2-proxy.cfg', 'nginx.conf'],
    run: `oauth2-proxy --config oauth2-proxy.cfg &
nginx -p "$PWD" -c nginx.conf -g 'daemon off;'`,
  },
  traefik: {
    ...BESIDE_A_SERVER,
    label: 'Traefik',
    files: ['oauth2-proxy.cfg', 'traefik.yml', 'routes.yml'],
    run: 'oauth2-proxy --config oauth2-proxy.cfg &\ntraefik --configFile=traefik.yml',
  },
  'oauth2-proxy': {
    ...OAUTH2_PROXY,
    label: 'oauth2-proxy',
    files: ['oauth2-proxy.cfg'],
    run: 'oauth2-proxy --config oauth2-proxy.cfg',
    values: { address: '127.0.0.1:{{port}}', upstream: 'http://127.0.0.1:8080/' },
  },
  grafana: {
    label: 'Grafana',
    settings: SECRET_LINE,
    files: ['grafana.ini'],
    run: 'grafana server --homepath /usr/share/grafana --config "$PWD/grafana.ini"',
    callback: '/login/generic_oauth',
    tested: false,
  },
  gitea: {
    label: 'Gitea',
    settings: SECRET_LINE,
    files: ['add-gatehouse.sh'],
    run: 'sh add-gatehouse.sh',
    callback: '/user/oauth2/gatehouse/callback',
    open: '{{callbackOrigin}}/user/login',
    needs: ['pkceOff'],
    tested: false,
  },
  curl: CURL_CODE_FLOW,
}

const SPA: Samples = {
  react: {
    label: 'React',
    install: 'npm install vite react react-dom oidc-client-ts react-oidc-context',
    files: ['index.html', 'src/main.jsx'],
    run: 'npx vite --port {{port}} --strictPort',
    callback: 'registered',
    inBrowser: true,
  },
  curl: CURL_CODE_FLOW,
}

const NATIVE: Samples = {
  node: {
    label: 'Node.js',
    install: 'npm install openid-client@6',
    files: ['sign-in.mjs'],
    run: 'node sign-in.mjs',
  },
  python: {
    label: 'Python',
    install: `${PIP_INSTALL} authlib requests`,
    files: ['sign_in.py'],
    run: '.venv/bin/python sign_in.py',
  },
  rust: {
    label: 'Rust',
    install: `${CARGO_ADD} openidconnect@4 --features reqwest-blocking`,
    files: ['src/main.rs'],
    run: 'cargo run',
  },
  /** kubectl signs in with the plugin oidc-login; the server checks the ID token. */
  kubernetes: {
    label: 'Kubernetes',
    install: 'kubectl krew install oidc-login',
    files: ['authentication.yaml', 'add-user.sh'],
    run: `# On the control plane: kube-apiserver --authentication-config=/etc/kubernetes/authentication.yaml
sh add-user.sh
kubectl --user=gatehouse auth whoami`,
    redirectUri: 'http://localhost:8000',
    needs: ['https'],
    tested: false,
  },
  curl: CURL_CODE_FLOW,
}

const DEVICE: Samples = {
  curl: CURL,
  node: {
    label: 'Node.js',
    install: 'npm install openid-client@6 uqr',
    files: ['sign-in.mjs'],
    run: 'node sign-in.mjs',
  },
}

const MACHINE: Samples = {
  curl: { ...CURL, settings: SECRET_LINE },
  node: {
    label: 'Node.js',
    settings: CREDENTIAL_LINE,
    install: '{{?byKey}}npm install jose@6 openid-client@6\n{{?!byKey}}npm install openid-client@6',
    files: ['token.mjs'],
    run: 'node token.mjs',
  },
  /** Not token.py: Python has a module of that name, which the packages would not find any more. */
  python: {
    label: 'Python',
    settings: SECRET_LINE,
    install: `${PIP_INSTALL} requests`,
    files: ['get_token.py'],
    run: '.venv/bin/python get_token.py',
  },
  go: {
    label: 'Go',
    settings: SECRET_LINE,
    install: `${GO_GET} golang.org/x/oauth2`,
    files: ['main.go'],
    run: 'go run .',
  },
  java: {
    label: 'Java',
    settings: SECRET_LINE,
    files: ['Token.java'],
    run: 'java Token.java',
  },
  dotnet: {
    label: '.NET',
    settings: SECRET_LINE,
    install: 'dotnet new console --name Example --output .',
    files: ['Program.cs'],
    run: 'dotnet run',
    tested: false,
  },
  php: {
    label: 'PHP',
    settings: SECRET_LINE,
    files: ['token.php'],
    run: 'php token.php',
  },
  rust: {
    label: 'Rust',
    settings: SECRET_LINE,
    install: `${CARGO_ADD} oauth2@5 --features reqwest-blocking`,
    files: ['src/main.rs'],
    run: 'cargo run',
  },
}

const API: Samples = {
  express: {
    label: 'Express',
    install: 'npm install express express-oauth2-jwt-bearer',
    files: ['server.mjs'],
    run: 'node server.mjs',
  },
  hono: {
    label: 'Hono',
    install: 'npm install hono @hono/node-server jose',
    files: ['server.mjs'],
    run: 'node server.mjs',
  },
  python: {
    label: 'FastAPI',
    install: `${PIP_INSTALL} fastapi uvicorn "pyjwt[crypto]"`,
    files: ['api.py'],
    run: '.venv/bin/uvicorn api:app --port {{apiPort}}',
  },
  go: {
    label: 'Go',
    install: `${GO_GET} ${GO_OIDC}`,
    files: ['main.go'],
    run: 'go run .',
  },
  spring: {
    label: 'Spring Boot',
    files: SPRING_FILES,
    run: 'mvn spring-boot:run',
    needs: ['accessTokenType'],
    values: { starter: 'spring-boot-starter-security-oauth2-resource-server' },
  },
  dotnet: {
    label: '.NET',
    install: `${NEW_DOTNET_WEB} Microsoft.AspNetCore.Authentication.JwtBearer`,
    files: ['Program.cs'],
    run: 'dotnet run --urls http://localhost:{{apiPort}}',
    tested: false,
  },
  php: {
    label: 'PHP',
    install: 'composer require firebase/php-jwt',
    files: ['index.php'],
    run: 'php -S localhost:{{apiPort}} index.php',
    tested: false,
  },
  rust: {
    label: 'Rust',
    install: `${CARGO_ADD} axum
cargo add jsonwebtoken --features rust_crypto
cargo add tokio --features rt-multi-thread,macros,net
cargo add reqwest --features json
cargo add serde --features derive`,
    files: ['src/main.rs'],
    run: 'cargo run',
  },
}

export const SAMPLES: Readonly<Record<Application['kind'] | 'api', Samples>> = {
  web: WEB,
  spa: SPA,
  native: NATIVE,
  device: DEVICE,
  machine: MACHINE,
  api: API,
}
