"""PyJWT on an access token, as its documentation checks one."""

import os

import jwt

token = os.environ["TOKEN"]
keys = jwt.PyJWKClient(os.environ["ISSUER"] + "/oidc/.well-known/jwks.json")
claims = jwt.decode(
    token,
    keys.get_signing_key_from_jwt(token).key,
    algorithms=["RS256", "ES256"],
    audience=os.environ["AUDIENCE"],
    issuer=os.environ["ISSUER"],
)
print("checked", claims["sub"])
