# kubelogin as kubectl calls it, without a browser of its own. It prints the credential of kubectl:
# what the ID token in it says is shown here.
./kubelogin get-token --oidc-issuer-url="$ISSUER" --oidc-client-id="$CLIENT_ID" \
  --oidc-extra-scope=profile --oidc-extra-scope=email --oidc-extra-scope=groups \
  --listen-address="localhost:$PORT" --skip-open-browser --token-cache-dir=cache > credential.json
node -e '
  const { status } = JSON.parse(require("fs").readFileSync("credential.json", "utf8"))
  console.log(Buffer.from(status.token.split(".")[1], "base64url").toString())
'
