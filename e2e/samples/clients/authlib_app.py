"""Authlib in Flask, as its documentation begins: no setting but those that it cannot do without."""

import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

SETTINGS = {"code_challenge_method": "S256"} if os.environ.get("PKCE") else {}

app = Flask(__name__)
app.secret_key = os.urandom(16)
oauth = OAuth(app)
oauth.register(
    "portal",
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile email", **SETTINGS},
)


@app.get("/")
def home():
    if "user" in session:
        return session["user"]
    return oauth.portal.authorize_redirect(os.environ["REDIRECT_URI"])


@app.get("/callback")
def callback():
    session["user"] = dict(oauth.portal.authorize_access_token()["userinfo"])
    return redirect("/")
