"""Authlib's private_key_jwt: a token for a machine that signs instead of sending a secret."""

import os

from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT

endpoint = os.environ["ISSUER"] + "/oidc/token"
client = OAuth2Session(
    os.environ["CLIENT_ID"],
    os.environ["PRIVATE_KEY"],
    token_endpoint_auth_method=PrivateKeyJWT(endpoint),
)
print(client.fetch_token(endpoint, grant_type="client_credentials", scope="orders:read"))
