"""requests-oauthlib: prints where to sign in, and reads the address that the browser is sent to."""

import os

from requests_oauthlib import OAuth2Session

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # the portal of the test has no https
issuer = os.environ["ISSUER"]
portal = OAuth2Session(
    os.environ["CLIENT_ID"],
    redirect_uri=os.environ["REDIRECT_URI"],
    scope=["openid", "profile", "email"],
    pkce=os.environ.get("PKCE") or None,
)
address, _state = portal.authorization_url(issuer + "/oidc/auth")
print("Open", address, flush=True)
portal.fetch_token(
    issuer + "/oidc/token",
    authorization_response=input(),
    client_secret=os.environ["CLIENT_SECRET"],
)
print(portal.get(issuer + "/oidc/me").json())
