import { paths } from '../oidc/paths'
import {
  discoveryOf,
  type Guide,
  homeOf,
  portOf,
  quoted,
  redirectAt,
  SECRET_LINE,
  sample,
  type Values,
} from './guide'

/** Products that sign people in by their settings alone. */

export function grafana(values: Values): Guide {
  const redirectUri = redirectAt(values, '/login/generic_oauth')
  return sample({
    label: 'Grafana',
    settings: SECRET_LINE,
    files: [{ name: 'grafana.ini', text: grafanaSettings(values, redirectUri) }],
    run: 'grafana server --homepath /usr/share/grafana --config "$PWD/grafana.ini"',
    open: homeOf(redirectUri),
    redirectUri,
    tested: false,
  })
}

function grafanaSettings({ origin, clientId, scope }: Values, redirectUri: string): string {
  return `[server]
http_port = ${portOf(redirectUri)}
root_url = ${homeOf(redirectUri)}

[auth.generic_oauth]
enabled = true
name = Gatehouse
client_id = ${clientId}
client_secret = $__env{CLIENT_SECRET}
scopes = ${scope}
auth_url = ${origin}${paths.authorize}
token_url = ${origin}${paths.token}
api_url = ${origin}${paths.userinfo}
use_pkce = true
login_attribute_path = preferred_username
email_attribute_path = email
name_attribute_path = name
`
}

export function gitea(values: Values): Guide {
  const { issuer, clientId } = values
  const redirectUri = redirectAt(values, '/user/oauth2/gatehouse/callback')
  return sample({
    label: 'Gitea',
    settings: SECRET_LINE,
    files: [
      {
        name: 'add-gatehouse.sh',
        text: `# As the user whom Gitea runs as. The name is part of the redirect URI.
gitea admin auth add-oauth \\
  --name gatehouse \\
  --provider openidConnect \\
  --key ${quoted(clientId)} \\
  --secret "$CLIENT_SECRET" \\
  --auto-discover-url ${quoted(discoveryOf(issuer))} \\
  --scopes profile --scopes email
`,
      },
    ],
    run: 'sh add-gatehouse.sh',
    open: `${homeOf(redirectUri)}user/login`,
    redirectUri,
    needs: ['pkceOff'],
    tested: false,
  })
}

/** kubectl signs in with the plugin oidc-login; the server checks the ID token. */
export function kubernetes(values: Values): Guide {
  const { issuer, clientId } = values
  return sample({
    label: 'Kubernetes',
    install: 'kubectl krew install oidc-login',
    files: [
      { name: 'authentication.yaml', text: apiServer(values) },
      {
        name: 'add-user.sh',
        text: `kubectl config set-credentials gatehouse \\
  --exec-api-version=client.authentication.k8s.io/v1 \\
  --exec-interactive-mode=IfAvailable \\
  --exec-command=kubectl \\
  --exec-arg=oidc-login,get-token \\
  --exec-arg=--oidc-issuer-url=${issuer} \\
  --exec-arg=--oidc-client-id=${clientId} \\
  --exec-arg=--oidc-pkce-method=S256
`,
      },
    ],
    run: `# On the control plane: kube-apiserver --authentication-config=/etc/kubernetes/authentication.yaml
sh add-user.sh
kubectl --user=gatehouse auth whoami`,
    redirectUri: 'http://localhost:8000',
    needs: ['https'],
    tested: false,
  })
}

function apiServer({ issuer, clientId }: Values): string {
  return `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
  - issuer:
      url: ${quoted(issuer)}
      audiences: [${quoted(clientId)}]
    claimMappings:
      username:
        claim: sub
        prefix: "gatehouse:"
`
}
