import { paths } from '../oidc/paths'
import {
  API_PORT,
  type ApiValues,
  type Guide,
  homeOf,
  isPlainHttp,
  portOf,
  SECRET_LINE,
  sample,
  type Values,
} from './guide'
import { jwksOf } from './hono'

/** In double quotes, `$` would begin a variable. */
function single(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}

export function php(values: Values): Guide {
  const { redirectUri } = values
  return sample({
    label: 'PHP',
    settings: SECRET_LINE,
    install: 'composer require jumbojett/openid-connect-php',
    files: [{ name: 'index.php', text: server(values) }],
    run: `php -S localhost:${portOf(redirectUri)} index.php`,
    open: homeOf(redirectUri),
    redirectUri,
    tested: false,
  })
}

function server(values: Values): string {
  const { issuer, clientId, redirectUri, scope } = values
  const insecure = isPlainHttp(values)
    ? '    $portal->setHttpUpgradeInsecureRequests(false);\n'
    : ''
  const scopes = scope.split(' ').map(single).join(', ')
  return `<?php
require 'vendor/autoload.php';

use Jumbojett\\OpenIDConnectClient;

session_start();
if (!isset($_SESSION['user'])) {
    $portal = new OpenIDConnectClient(${single(issuer)}, ${single(clientId)}, getenv('CLIENT_SECRET'));
${insecure}    $portal->setRedirectURL(${single(redirectUri)});
    $portal->addScope([${scopes}]);
    $portal->setCodeChallengeMethod('S256');
    $portal->authenticate();
    session_regenerate_id(true);
    $_SESSION['user'] = $portal->requestUserInfo();
    header('Location: /');
    exit;
}
header('Content-Type: application/json');
echo json_encode($_SESSION['user']);
`
}

export function phpMachine(values: Values): Guide {
  return sample({
    label: 'PHP',
    settings: SECRET_LINE,
    files: [{ name: 'token.php', text: token(values) }],
    run: 'php token.php',
  })
}

function token({ origin, clientId, scope }: Values): string {
  return `<?php
$request = curl_init(${single(`${origin}${paths.token}`)});
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_FAILONERROR => true,
    CURLOPT_USERPWD => ${single(`${clientId}:`)} . getenv('CLIENT_SECRET'),
    CURLOPT_POSTFIELDS => http_build_query([
        'grant_type' => 'client_credentials',
        'scope' => ${single(scope)},
    ]),
]);
$body = curl_exec($request);
if ($body === false) {
    exit(curl_error($request) . "\\n");
}
$token = json_decode($body, true);
echo 'Granted: ', $token['scope'], "\\n", $token['access_token'], "\\n";
`
}

export function phpApi(values: ApiValues): Guide {
  return sample({
    label: 'PHP',
    install: 'composer require firebase/php-jwt',
    files: [{ name: 'index.php', text: resourceServer(values) }],
    run: `php -S localhost:${API_PORT} index.php`,
    tested: false,
  })
}

function resourceServer({ issuer, audience, scope }: ApiValues): string {
  return `<?php
require 'vendor/autoload.php';

use Firebase\\JWT\\JWK;
use Firebase\\JWT\\JWT;

// Keep the keys in a cache: they change about once in three months.
$keys = JWK::parseKeySet(json_decode(file_get_contents(${single(jwksOf(issuer))}), true));
try {
    $sent = preg_replace('/^Bearer /i', '', $_SERVER['HTTP_AUTHORIZATION'] ?? '');
    $token = JWT::decode($sent, $keys);
} catch (Exception) {
    $token = null;
}
$isForUs = $token !== null
    && $token->iss === ${single(issuer)}
    && in_array(${single(audience)}, (array) $token->aud, true);
if (!$isForUs) {
    http_response_code(401);
    header('WWW-Authenticate: Bearer');
    exit;
}
if (!in_array(${single(scope)}, explode(' ', $token->scope), true)) {
    http_response_code(403);
    exit;
}
header('Content-Type: application/json');
echo json_encode(['hello' => $token->sub]);
`
}
