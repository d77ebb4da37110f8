"""The MCP SDK: prints where to sign in, reads the address of the answer, and calls a tool."""

import asyncio
import os
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

SERVER = os.environ["SERVER"]
ABOUT = {"client_name": "Agent", "redirect_uris": [os.environ["REDIRECT_URI"]]}


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def opened(address):
    print("Open", address, flush=True)


async def answered():
    query = parse_qs(urlparse(await asyncio.to_thread(input)).query)
    return AuthorizationCodeResult(**{name: query.get(name, [None])[0] for name in ("code", "state", "iss")})


async def main():
    memory = Memory()
    if os.environ.get("CLIENT_ID"):
        memory.client = OAuthClientInformationFull(
            client_id=os.environ["CLIENT_ID"], token_endpoint_auth_method="none", **ABOUT
        )
    auth = OAuthClientProvider(SERVER, OAuthClientMetadata(**ABOUT), memory, opened, answered)
    async with httpx2.AsyncClient(auth=auth) as http:
        async with Client(streamable_http_client(SERVER, http_client=http)) as client:
            print((await client.call_tool("list_orders", {})).content[0].text)


asyncio.run(main())
