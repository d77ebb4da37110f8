kubectl config set-credentials gatehouse \
  --exec-api-version=client.authentication.k8s.io/v1 \
  --exec-interactive-mode=IfAvailable \
  --exec-command=kubectl \
  --exec-arg=oidc-login,get-token \
  --exec-arg=--oidc-issuer-url={{issuer}} \
  --exec-arg=--oidc-client-id={{clientId}} \
  --exec-arg=--oidc-pkce-method=S256
