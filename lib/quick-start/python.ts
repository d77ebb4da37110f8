import { paths } from '../oidc/paths'
import {
  API_PORT,
  type ApiValues,
  discoveryOf,
  type Guide,
  homeOf,
  pathOf,
  portOf,
  quoted,
  SECRET_LINE,
  SESSION_LINE,
  sample,
  type Values,
} from './guide'
import { jwksOf } from './hono'

/** In a folder of its own: many systems refuse to install packages for everybody. */
function installed(packages: string): string {
  return `python3 -m venv .venv && .venv/bin/pip install ${packages}`
}

export function flask(values: Values): Guide {
  return sample({
    label: 'Python',
    settings: `${SECRET_LINE}\n${SESSION_LINE}`,
    install: installed('flask authlib requests'),
    files: [{ name: 'app.py', text: app(values) }],
    run: `.venv/bin/flask run --port ${portOf(values.redirectUri)}`,
    open: homeOf(values.redirectUri),
    redirectUri: values.redirectUri,
  })
}

function app({ issuer, clientId, redirectUri, scope }: Values): string {
  return `import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
oauth = OAuth(app)
oauth.register(
    "gatehouse",
    server_metadata_url=${quoted(discoveryOf(issuer))},
    client_id=${quoted(clientId)},
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": ${quoted(scope)}, "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    return session["user"] if "user" in session else redirect("/login")


@app.get("/login")
def login():
    return oauth.gatehouse.authorize_redirect(${quoted(redirectUri)})


@app.get(${quoted(pathOf(redirectUri))})
def callback():
    token = oauth.gatehouse.authorize_access_token()
    # Name and address are in userinfo, not in the ID token.
    user = oauth.gatehouse.userinfo(token=token)
    session.clear()
    session["user"] = dict(user)
    return redirect("/")
`
}

export function pythonNative(values: Values): Guide {
  return sample({
    label: 'Python',
    install: installed('authlib requests'),
    files: [{ name: 'sign_in.py', text: signIn(values) }],
    run: '.venv/bin/python sign_in.py',
  })
}

function signIn({ origin, clientId, redirectUri, scope }: Values): string {
  return `# The browser comes back to a port of this machine (RFC 8252).
from http.server import BaseHTTPRequestHandler, HTTPServer
from secrets import token_urlsafe

from authlib.integrations.requests_client import OAuth2Session


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.answer = f"{origin}{self.path}"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Done: go back to the terminal.")

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Callback)
origin = f"http://127.0.0.1:{server.server_port}"
portal = OAuth2Session(
    ${quoted(clientId)},
    scope=${quoted(scope)},
    redirect_uri=f"{origin}${pathOf(redirectUri)}",
    code_challenge_method="S256",
    token_endpoint_auth_method="none",
)
verifier = token_urlsafe(48)
address, state = portal.create_authorization_url(
    ${quoted(`${origin}${paths.authorize}`)}, code_verifier=verifier
)
print("Open", address, flush=True)
server.handle_request()

portal.fetch_token(
    ${quoted(`${origin}${paths.token}`)},
    authorization_response=server.answer,
    state=state,
    code_verifier=verifier,
)
print(portal.get(${quoted(`${origin}${paths.userinfo}`)}).json())
`
}

/** Not token.py: Python has a module of that name, which the packages would not find any more. */
export function pythonMachine(values: Values): Guide {
  return sample({
    label: 'Python',
    settings: SECRET_LINE,
    install: installed('requests'),
    files: [{ name: 'get_token.py', text: token(values) }],
    run: '.venv/bin/python get_token.py',
  })
}

function token({ origin, clientId, scope }: Values): string {
  return `import os

import requests

response = requests.post(
    ${quoted(`${origin}${paths.token}`)},
    data={"grant_type": "client_credentials", "scope": ${quoted(scope)}},
    auth=(${quoted(clientId)}, os.environ["CLIENT_SECRET"]),
    timeout=10,
)
response.raise_for_status()
token = response.json()
print("Granted:", token["scope"])
print("Not granted:", token.get("scope_rejected", "nothing"))
print(token["access_token"])
`
}

export function fastApi(values: ApiValues): Guide {
  return sample({
    label: 'FastAPI',
    install: installed('fastapi uvicorn "pyjwt[crypto]"'),
    files: [{ name: 'api.py', text: resourceServer(values) }],
    run: `.venv/bin/uvicorn api:app --port ${API_PORT}`,
  })
}

function resourceServer({ issuer, audience, scope }: ApiValues): string {
  return `import jwt
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

ISSUER = ${quoted(issuer)}
AUDIENCE = ${quoted(audience)}
keys = jwt.PyJWKClient(${quoted(jwksOf(issuer))})
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
    if ${quoted(scope)} not in token["scope"].split():
        raise HTTPException(403, "not allowed")
    return {"hello": token["sub"]}
`
}
