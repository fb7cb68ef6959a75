"""A small provider of identities that speaks OpenID Connect: discovery, codes with PKCE, signed tokens, user information."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "modelyard", "client secret"


class Provider(ThreadingHTTPServer):
    """Says of whoever comes what ``person`` holds."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.codes: dict[str, dict[str, str]] = {}
        self.tokens: set[str] = set()
        self.person: dict[str, Any] = {}

    def authorise(self, query: dict[str, str]) -> str:
        """What a person's yes on the provider's page does: answers with the address to go back to."""
        assert query["client_id"] == CLIENT
        code = secrets.token_urlsafe()
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def tokens_for(self, form: dict[str, str]) -> dict[str, Any]:
        """Changes a code, once, for tokens."""
        request = self.codes.pop(form["code"])
        proof = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        assert request["code_challenge"] == proof
        assert (form["client_id"], form["client_secret"]) == (CLIENT, SECRET)
        access = secrets.token_urlsafe()
        self.tokens.add(access)
        claims = {**self.person, "iss": self.issuer, "aud": CLIENT, "exp": 4_000_000_000, "iat": 1}
        return {"access_token": access, "token_type": "Bearer", "id_token": jwt.encode(claims, self.key, "RS256", {"kid": "1"})}

    def discovery(self) -> dict[str, Any]:
        """Where everything is."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "jwks_uri": f"{self.issuer}/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }


class Answer(BaseHTTPRequestHandler):
    """The wire."""

    server: Provider

    def do_GET(self) -> None:
        path = urlsplit(self.path)
        if path.path == "/.well-known/openid-configuration":
            self.say(self.server.discovery())
        elif path.path == "/authorize":
            query = {name: values[0] for name, values in parse_qs(path.query).items()}
            self.send_response(302)
            self.send_header("Location", self.server.authorise(query))
            self.end_headers()
        elif path.path == "/userinfo" and self.headers["Authorization"].removeprefix("Bearer ") in self.server.tokens:
            self.say(self.server.person)
        elif path.path == "/jwks":
            key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.server.key.public_key()))
            self.say({"keys": [{**key, "kid": "1", "alg": "RS256", "use": "sig"}]})
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.say(self.server.tokens_for({name: values[0] for name, values in parse_qs(body).items()}))

    def say(self, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def provider() -> Iterator[Provider]:
    """Runs for the time of the block."""
    server = Provider()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
