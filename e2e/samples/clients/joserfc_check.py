"""joserfc on an access token."""

import os

import requests
from joserfc import jwt
from joserfc.jwk import KeySet

keys = requests.get(os.environ["ISSUER"] + "/oidc/.well-known/jwks.json", timeout=10).json()
token = jwt.decode(os.environ["TOKEN"], KeySet.import_key_set(keys), algorithms=["RS256", "ES256"])
jwt.JWTClaimsRegistry(
    iss={"essential": True, "value": os.environ["ISSUER"]},
    aud={"essential": True, "value": os.environ["AUDIENCE"]},
).validate(token.claims)
print("checked", token.claims["sub"])
