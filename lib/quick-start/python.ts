import { paths } from '../oidc/paths'
import { type Guide, pathOf, portOf, quoted, type Values } from './guide'

export function flask(values: Values): Guide {
  return {
    label: 'Python',
    install: 'pip install flask authlib requests',
    files: [{ name: 'app.py', text: app(values) }],
    run: `CLIENT_SECRET=… SESSION_SECRET=… flask run --port ${portOf(values.redirectUri)}`,
    redirectUri: values.redirectUri,
  }
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
    server_metadata_url=${quoted(`${issuer}/.well-known/openid-configuration`)},
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
    session.clear()
    session["user"] = dict(token["userinfo"])
    return redirect("/")
`
}

export function pythonMachine(values: Values): Guide {
  return {
    label: 'Python',
    install: 'pip install requests',
    files: [{ name: 'token.py', text: token(values) }],
    run: 'CLIENT_SECRET=… python token.py',
    redirectUri: null,
  }
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
