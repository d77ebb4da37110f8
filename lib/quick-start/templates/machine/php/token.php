<?php
$request = curl_init('{{tokenUrl|php}}');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_FAILONERROR => true,
    CURLOPT_USERPWD => '{{clientId|php}}:' . getenv('CLIENT_SECRET'),
    CURLOPT_POSTFIELDS => http_build_query([
        'grant_type' => 'client_credentials',
        'scope' => '{{scope|php}}',
    ]),
]);
$body = curl_exec($request);
if ($body === false) {
    exit(curl_error($request) . "\n");
}
$token = json_decode($body, true);
echo 'Granted: ', $token['scope'], "\n", $token['access_token'], "\n";
