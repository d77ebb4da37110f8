# The browser comes back to a port of this machine (RFC 8252).
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
    "{{clientId}}",
    scope="{{scope}}",
    redirect_uri=f"{origin}{{callbackPath}}",
    code_challenge_method="S256",
    token_endpoint_auth_method="none",
)
verifier = token_urlsafe(48)
address, state = portal.create_authorization_url(
    "{{authorizeUrl}}", code_verifier=verifier
)
print("Open", address, flush=True)
server.handle_request()

portal.fetch_token(
    "{{tokenUrl}}",
    authorization_response=server.answer,
    state=state,
    code_verifier=verifier,
)
print(portal.get("{{userinfoUrl}}").json())
