import jwt
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

ISSUER = "{{issuer}}"
AUDIENCE = "{{audience}}"
keys = jwt.PyJWKClient("{{jwksUrl}}")
app = FastAPI()


def claims(sent: HTTPAuthorizationCredentials = Depends(HTTPBearer(auto_error=False))):
    challenge = {"WWW-Authenticate": "Bearer"}
    if sent is None:
        raise HTTPException(401, "no token", challenge)
    try:
        return jwt.decode(
            sent.credentials,
            keys.get_signing_key_from_jwt(sent.credentials).key,
            algorithms=["ES256", "RS256"],
            issuer=ISSUER,
            audience=AUDIENCE,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
    except jwt.PyJWTError:
        raise HTTPException(401, "the token is not valid", challenge)


@app.get("/")
def read(token: dict = Depends(claims)):
    if "{{scope}}" not in token["scope"].split():
        raise HTTPException(403, "not allowed")
    return {"hello": token["sub"]}
