# oauth2-proxy with what it cannot do without.
test -z "$PKCE" || set -- --code-challenge-method=S256
exec ./oauth2-proxy --provider=oidc --oidc-issuer-url="$ISSUER" --client-id="$CLIENT_ID" \
  --client-secret="$CLIENT_SECRET" --redirect-url="$REDIRECT_URI" --http-address="localhost:$PORT" \
  --scope='openid profile email groups' --email-domain='*' --upstream=static://200 --skip-provider-button \
  --cookie-secret=only-for-this-test-32-characters --cookie-secure=false "$@"
