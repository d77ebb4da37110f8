import os

import requests

response = requests.post(
    "{{tokenUrl}}",
    data={"grant_type": "client_credentials", "scope": "{{scope}}"},
    auth=("{{clientId}}", os.environ["CLIENT_SECRET"]),
    timeout=10,
)
response.raise_for_status()
token = response.json()
print("Granted:", token["scope"])
print("Not granted:", token.get("scope_rejected", "nothing"))
print(token["access_token"])
