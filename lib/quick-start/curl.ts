import { shellQuoted } from '../api/samples'
import { DEVICE_CODE } from '../oidc/client'
import { paths } from '../oidc/paths'
import { type Guide, SECRET_LINE, sample, type Values } from './guide'

export function curlMachine(values: Values): Guide {
  const { origin, clientId, scope } = values
  const text = `curl ${shellQuoted(`${origin}${paths.token}`)} \\
  -u ${shellQuoted(clientId)}:"$CLIENT_SECRET" \\
  -d grant_type=client_credentials \\
  -d scope=${shellQuoted(scope)}
`
  return script(text, SECRET_LINE)
}

/** The whole authorization code flow by hand: print the address, paste the code. */
export function curlCodeFlow(values: Values): Guide {
  const { origin, clientId, redirectUri, scope } = values
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    code_challenge_method: 'S256',
  })
  const isSecret = values.kind === 'web'
  const secret = isSecret ? '  --data-urlencode client_secret="$CLIENT_SECRET" \\\n' : ''
  const text = `VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')
STATE=$(openssl rand -hex 16)
echo 'Open this address, sign in, and then copy the code from the address that the browser returns to:'
echo ${shellQuoted(`${origin}${paths.authorize}?${asked}`)}"&state=$STATE&code_challenge=$CHALLENGE"
printf 'Code: ' && read -r CODE
curl ${shellQuoted(`${origin}${paths.token}`)} \\
  -d grant_type=authorization_code \\
  -d client_id=${shellQuoted(clientId)} \\
${secret}  --data-urlencode redirect_uri=${shellQuoted(redirectUri)} \\
  --data-urlencode code="$CODE" \\
  -d code_verifier="$VERIFIER"
`
  return script(text, isSecret ? SECRET_LINE : null)
}

/** Shows the code, then asks every few seconds whether the user has answered (RFC 8628 §3.4). */
export function curlDevice({ origin, clientId, scope }: Values): Guide {
  const text = `field() { printf %s "$ANSWER" | sed -n "s/.*\\"$1\\":\\"\\{0,1\\}\\([^\\",}]*\\).*/\\1/p"; }
ANSWER=$(curl -s ${shellQuoted(`${origin}${paths.deviceAuthorization}`)} \\
  -d client_id=${shellQuoted(clientId)} \\
  -d scope=${shellQuoted(scope)})
DEVICE_CODE=$(field device_code)
INTERVAL=$(field interval)
echo "Open $(field verification_uri) and enter the code $(field user_code)"
while :; do
  sleep "$INTERVAL"
  ANSWER=$(curl -s ${shellQuoted(`${origin}${paths.token}`)} \\
    -d grant_type=${DEVICE_CODE} \\
    -d client_id=${shellQuoted(clientId)} \\
    -d device_code="$DEVICE_CODE")
  case $(field error) in
    authorization_pending) ;;
    slow_down) INTERVAL=$((INTERVAL + 5)) ;;
    *) echo "$ANSWER" && break ;;
  esac
done
`
  return script(text, null)
}

function script(text: string, settings: string | null): Guide {
  return sample({
    label: 'curl',
    settings,
    files: [{ name: 'token.sh', text }],
    run: 'sh token.sh',
  })
}
