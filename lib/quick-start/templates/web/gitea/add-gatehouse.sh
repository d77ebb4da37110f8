# As the user whom Gitea runs as. The name is part of the redirect URI.
gitea admin auth add-oauth \
  --name gatehouse \
  --provider openidConnect \
  --key "{{clientId}}" \
  --secret "$CLIENT_SECRET" \
  --auto-discover-url "{{discoveryUrl}}" \
  --scopes profile --scopes email
