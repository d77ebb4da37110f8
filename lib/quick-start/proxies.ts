import {
  discoveryOf,
  type Guide,
  homeOf,
  isPlainHttp,
  portOf,
  quoted,
  redirectAt,
  SECRET,
  SECRET_LINE,
  SESSION_LINE,
  sample,
  type Values,
} from './guide'

/** Servers that ask for a sign-in before they pass a request on. */

const APP = 'http://127.0.0.1:8080/'
const OAUTH2_PROXY_CALLBACK = '/oauth2/callback'
const OAUTH2_PROXY = 'http://127.0.0.1:4180'
const CONFIG = 'oauth2-proxy.cfg'

export function apache(values: Values): Guide {
  const { redirectUri } = values
  return sample({
    label: 'Apache',
    settings: `${SECRET_LINE}\n${SESSION_LINE}`,
    install: 'sudo apt-get install apache2 libapache2-mod-auth-openidc',
    files: [
      { name: 'gatehouse.conf', text: openidc(values) },
      { name: 'try-it.conf', text: tryIt(values) },
      { name: 'public/index.html', text: '<p>You are signed in.</p>\n' },
    ],
    run: 'apache2 -d "$PWD" -f try-it.conf -D FOREGROUND',
    open: homeOf(redirectUri),
    redirectUri,
  })
}

function openidc({ issuer, clientId, redirectUri, scope }: Values): string {
  return `# For a virtual host of your own: include this file in it.
OIDCProviderMetadataURL ${quoted(discoveryOf(issuer))}
OIDCClientID ${quoted(clientId)}
OIDCClientSecret "\${CLIENT_SECRET}"
OIDCCryptoPassphrase "\${SESSION_SECRET}"
OIDCRedirectURI ${quoted(redirectUri)}
OIDCScope ${quoted(scope)}
OIDCPKCEMethod S256
OIDCRemoteUserClaim email

<Location "/">
    AuthType openid-connect
    Require valid-user
</Location>
`
}

function tryIt({ redirectUri }: Values): string {
  const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'auth_openidc']
  const loaded = modules.map((name) => `LoadModule ${name}_module \${MODULES}/mod_${name}.so\n`)
  return `# A server for this folder alone, on Debian and Ubuntu.
Define MODULES /usr/lib/apache2/modules
${loaded.join('')}ServerName localhost
Listen 127.0.0.1:${portOf(redirectUri)}
PidFile apache.pid
ErrorLog error.log
DocumentRoot public
Include gatehouse.conf
`
}

const PROXY_SETTINGS = `export OAUTH2_PROXY_CLIENT_SECRET='${SECRET}'
export OAUTH2_PROXY_COOKIE_SECRET="$(openssl rand -hex 16)"`

function proxySettings(values: Values, redirectUri: string, address: string, to: string): string {
  const insecure = isPlainHttp(values) ? 'cookie_secure = false\n' : ''
  return `provider = "oidc"
oidc_issuer_url = ${quoted(values.issuer)}
client_id = ${quoted(values.clientId)}
redirect_url = ${quoted(redirectUri)}
scope = ${quoted(values.scope)}
code_challenge_method = "S256"
http_address = ${quoted(address)}
upstreams = [${quoted(to)}]
email_domains = ["*"]
reverse_proxy = true
skip_provider_button = true
set_xauthrequest = true
${insecure}`
}

export function oauth2Proxy(values: Values): Guide {
  const redirectUri = redirectAt(values, OAUTH2_PROXY_CALLBACK)
  const address = `127.0.0.1:${portOf(redirectUri)}`
  return sample({
    label: 'oauth2-proxy',
    settings: PROXY_SETTINGS,
    files: [{ name: CONFIG, text: proxySettings(values, redirectUri, address, APP) }],
    run: `oauth2-proxy --config ${CONFIG}`,
    open: homeOf(redirectUri),
    redirectUri,
    tested: false,
  })
}

export function nginx(values: Values): Guide {
  const redirectUri = redirectAt(values, OAUTH2_PROXY_CALLBACK)
  return sample({
    label: 'nginx',
    settings: PROXY_SETTINGS,
    files: [
      { name: CONFIG, text: beside(values, redirectUri) },
      { name: 'nginx.conf', text: nginxConfig(portOf(redirectUri)) },
    ],
    run: `oauth2-proxy --config ${CONFIG} &\nnginx -p "$PWD" -c nginx.conf -g 'daemon off;'`,
    open: homeOf(redirectUri),
    redirectUri,
    needs: ['oauth2Proxy'],
    tested: false,
  })
}

/** Asked by another server, which passes the requests on itself. */
function beside(values: Values, redirectUri: string): string {
  return proxySettings(values, redirectUri, new URL(OAUTH2_PROXY).host, 'static://202')
}

function nginxConfig(port: string): string {
  return `events {}
pid nginx.pid;
error_log stderr;
http {
  access_log off;
  server {
    listen 127.0.0.1:${port};

    location /oauth2/ {
      proxy_pass ${OAUTH2_PROXY};
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-Uri $request_uri;
    }
    location = /oauth2/auth {
      internal;
      proxy_pass ${OAUTH2_PROXY};
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-Uri $request_uri;
    }
    location / {
      auth_request /oauth2/auth;
      error_page 401 = /oauth2/start?rd=$scheme://$http_host$request_uri;
      auth_request_set $email $upstream_http_x_auth_request_email;
      proxy_set_header X-Email $email;
      proxy_pass ${APP};
    }
  }
}
`
}

export function traefik(values: Values): Guide {
  const redirectUri = redirectAt(values, OAUTH2_PROXY_CALLBACK)
  return sample({
    label: 'Traefik',
    settings: PROXY_SETTINGS,
    files: [
      { name: CONFIG, text: beside(values, redirectUri) },
      { name: 'traefik.yml', text: traefikStatic(portOf(redirectUri)) },
      { name: 'routes.yml', text: TRAEFIK_ROUTES },
    ],
    run: `oauth2-proxy --config ${CONFIG} &\ntraefik --configFile=traefik.yml`,
    open: homeOf(redirectUri),
    redirectUri,
    needs: ['oauth2Proxy'],
    tested: false,
  })
}

function traefikStatic(port: string): string {
  return `entryPoints:
  web:
    address: "127.0.0.1:${port}"
providers:
  file:
    filename: routes.yml
`
}

const TRAEFIK_ROUTES = `http:
  routers:
    sign-in:
      rule: PathPrefix(\`/oauth2/\`)
      service: oauth2-proxy
    app:
      rule: PathPrefix(\`/\`)
      service: app
      middlewares: [signed-in]
  middlewares:
    signed-in:
      forwardAuth:
        address: ${OAUTH2_PROXY}/
        trustForwardHeader: true
        authResponseHeaders: [X-Auth-Request-User, X-Auth-Request-Email]
  services:
    oauth2-proxy:
      loadBalancer:
        servers:
          - url: ${OAUTH2_PROXY}
    app:
      loadBalancer:
        servers:
          - url: ${APP}
`
