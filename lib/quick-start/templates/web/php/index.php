<?php
require 'vendor/autoload.php';

use Jumbojett\OpenIDConnectClient;

session_start();
if (!isset($_SESSION['user'])) {
    $portal = new OpenIDConnectClient('{{issuer|php}}', '{{clientId|php}}', getenv('CLIENT_SECRET'));
{{?plainHttp}}    $portal->setHttpUpgradeInsecureRequests(false);
    $portal->setRedirectURL('{{redirectUri|php}}');
    $portal->addScope(['{{scopes|php}}']);
    $portal->setCodeChallengeMethod('S256');
    $portal->authenticate();
    session_regenerate_id(true);
    $_SESSION['user'] = $portal->requestUserInfo();
    header('Location: /');
    exit;
}
header('Content-Type: application/json');
echo json_encode($_SESSION['user']);
