<?php
require 'vendor/autoload.php';

use Firebase\JWT\JWK;
use Firebase\JWT\JWT;

// Keep the keys in a cache: they change about once in three months.
$keys = JWK::parseKeySet(json_decode(file_get_contents('{{jwksUrl|php}}'), true));
try {
    $sent = preg_replace('/^Bearer /i', '', $_SERVER['HTTP_AUTHORIZATION'] ?? '');
    $token = JWT::decode($sent, $keys);
} catch (Exception) {
    $token = null;
}
$isForUs = $token !== null
    && $token->iss === '{{issuer|php}}'
    && in_array('{{audience|php}}', (array) $token->aud, true);
if (!$isForUs) {
    http_response_code(401);
    header('WWW-Authenticate: Bearer');
    exit;
}
if (!in_array('{{scope|php}}', explode(' ', $token->scope), true)) {
    http_response_code(403);
    exit;
}
header('Content-Type: application/json');
echo json_encode(['hello' => $token->sub]);
