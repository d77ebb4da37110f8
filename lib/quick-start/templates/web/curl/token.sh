VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')
STATE=$(openssl rand -hex 16)
echo 'Open this address, sign in, and then copy the code from the address that the browser returns to:'
echo '{{authorizeUrl|shell}}?{{authorizationRequest|shell}}'"&state=$STATE&code_challenge=$CHALLENGE"
printf 'Code: ' && read -r CODE
curl '{{tokenUrl|shell}}' \
  -d grant_type=authorization_code \
  -d client_id='{{clientId|shell}}' \
{{?confidential}}  --data-urlencode client_secret="$CLIENT_SECRET" \
  --data-urlencode redirect_uri='{{redirectUri|shell}}' \
  --data-urlencode code="$CODE" \
  -d code_verifier="$VERIFIER"
