import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
oauth = OAuth(app)
oauth.register(
    "gatehouse",
    server_metadata_url="{{discoveryUrl}}",
    client_id="{{clientId}}",
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "{{scope}}", "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    return session["user"] if "user" in session else redirect("/login")


@app.get("/login")
def login():
    return oauth.gatehouse.authorize_redirect("{{redirectUri}}")


@app.get("{{callbackPath}}")
def callback():
    token = oauth.gatehouse.authorize_access_token()
    # Name and address are in userinfo in any case; an ID token may lack them.
    user = oauth.gatehouse.userinfo(token=token)
    session.clear()
    session["user"] = dict(user)
    return redirect("/")
