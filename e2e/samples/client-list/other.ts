import { AS_IT_IS, type Client, STOCK } from './client'

const getGo = (packages: string) => `go mod init example && go get ${packages}`
/** A program, built where its module lies: `go install` would ask the proxy for every version. */
const buildGo = (name: string, module: string) => `go mod download ${module}
go build -C "$(go env GOMODCACHE)/${module}" -p 1 -o "$PWD/${name}"`

export const GO: readonly Client[] = [
  {
    name: 'go-oidc',
    does: 'signs a user in',
    on: 'go',
    install: getGo('github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2'),
    files: { 'main.go': 'main.go' },
    run: 'go run .',
    walk: 'prompt',
    pkce: 'go-oidc, golang.org/x/oauth2',
    tries: AS_IT_IS,
  },
  {
    name: 'goth',
    does: 'signs a user in',
    on: 'go',
    install: getGo('github.com/markbates/goth@v1.82.0 github.com/gorilla/sessions'),
    files: { 'goth.go': 'main.go' },
    run: 'go mod tidy && go run .',
    walk: 'browser',
    pkce: 'goth',
    tries: AS_IT_IS,
  },
  {
    name: 'HashiCorp cap',
    package: 'cap',
    does: 'signs a user in',
    on: 'go',
    install: getGo('github.com/hashicorp/cap/oidc@v0.15.0'),
    files: { 'cap.go': 'main.go' },
    run: 'go mod tidy && go run .',
    walk: 'prompt',
    pkce: 'HashiCorp cap',
    tries: AS_IT_IS,
  },
  {
    name: 'kubelogin',
    does: 'signs a user in (kubectl)',
    on: 'go',
    install: buildGo('kubelogin', 'github.com/int128/kubelogin@v1.36.3'),
    files: { 'kubelogin.sh': 'sign-in.sh' },
    run: 'sh sign-in.sh',
    walk: 'native',
    kind: 'native',
    callback: '',
    knows: ['name', 'email', 'groups'],
    pkce: 'kubelogin',
    tries: AS_IT_IS,
  },
  {
    name: 'oauth2-proxy',
    does: 'signs a user in',
    on: 'go',
    install: buildGo('oauth2-proxy', 'github.com/oauth2-proxy/oauth2-proxy/v7@v7.15.3'),
    files: { 'oauth2-proxy.sh': 'run.sh' },
    run: 'sh run.sh',
    walk: 'browser',
    callback: '/oauth2/callback',
    open: '/oauth2/start?rd=/oauth2/userinfo',
    knows: ['email', 'groups'],
    pkce: 'oauth2-proxy',
    tries: AS_IT_IS,
  },
]

export const APACHE: readonly Client[] = [
  {
    name: 'mod_auth_openidc',
    does: 'signs a user in (Apache)',
    on: 'apache',
    install: '',
    files: { 'openidc.conf': 'httpd.conf', 'openidc.shtml': 'public/index.shtml' },
    run: 'test -z "$PKCE" || set -- -D PKCE; apache2 -d "$PWD" -f httpd.conf -D FOREGROUND "$@"',
    walk: 'browser',
    pkce: 'mod_auth_openidc',
    tries: AS_IT_IS,
  },
]

const SPRING_RUN = 'SERVER_PORT=$PORT mvn -q spring-boot:run'

function spring(version: string, pkce: Client['pkce']): Client[] {
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
      ...(pkce && { pkce }),
      tries: AS_IT_IS,
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

export const JAVA: readonly Client[] = [
  ...spring('4.1.1', 'Spring Boot 4 client'),
  ...spring('3.5.16', 'Spring Boot 3 client'),
  {
    name: 'Nimbus oauth2-oidc-sdk',
    does: 'signs a user in',
    on: 'maven',
    install: '',
    files: { 'nimbus/pom.xml': 'pom.xml', 'nimbus/SignIn.java': 'SignIn.java' },
    words: { version: '11.37' },
    run: `mvn -q dependency:copy-dependencies -DoutputDirectory=lib
java -cp 'lib/*' SignIn.java`,
    walk: 'prompt',
    pkce: 'Nimbus oauth2-oidc-sdk',
    tries: AS_IT_IS,
  },
]
