"""Settings of accounts from the environment: who may make one, mail, and a provider of identities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, cast, get_args
from urllib.parse import parse_qsl, unquote, urlsplit

SignUp = Literal["open", "invitation", "closed"]
Text = Callable[[str], str]
"""Reads another variable; empty where it is not set."""

_HERE = frozenset({"127.0.0.1", "localhost", "::1"})
_SMTP_PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True)
class MailConfig:
    """How mail is sent."""

    backend: str
    """Django's class."""
    sender: str
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = field(default="", repr=False)
    is_tls: bool = False
    """Encrypted from the first byte."""
    is_starttls: bool = False


@dataclass(frozen=True)
class OidcConfig:
    """A provider that speaks OpenID Connect."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str
    """What the button says."""
    domains: tuple[str, ...]
    """Whoever has a confirmed address there gets an account when signing in for the first time."""


def sign_up_default(public_host: str) -> SignUp:
    """Open where only this machine is served; by invitation where others may come."""
    return "open" if public_host in _HERE else "invitation"


def sign_up(value: str) -> SignUp:
    """Reads the switch."""
    if value not in get_args(SignUp):
        raise ValueError(f"write one of {', '.join(get_args(SignUp))}")
    return cast("SignUp", value)


def minutes(value: str) -> int:
    """Reads a whole number from 0."""
    if not value.isdecimal():
        raise ValueError("write a whole number of minutes, 0 for none")
    return int(value)


def mail(value: str, text: Text) -> MailConfig | None:
    """Reads ``smtp://user:password@host:587``, ``smtps://...`` or ``console``; the sender is a variable of its own."""
    if not value:
        return None
    sender = text("MODELYARD_EMAIL_FROM")
    if value == "console":
        return MailConfig("django.core.mail.backends.console.EmailBackend", sender or "modelyard@localhost")
    parts = urlsplit(value)
    if parts.scheme not in _SMTP_PORTS or not parts.hostname:
        raise ValueError("write smtp://user:password@host:587, smtps://user:password@host:465, or console for the log")
    if not sender:
        raise ValueError("MODELYARD_EMAIL_FROM is missing: the address that mail comes from")
    options = dict(parse_qsl(parts.query))
    return MailConfig(
        backend="django.core.mail.backends.smtp.EmailBackend",
        sender=sender,
        host=parts.hostname,
        port=parts.port or _SMTP_PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        is_tls=parts.scheme == "smtps",
        is_starttls=parts.scheme == "smtp" and options.get("starttls", "1") == "1",
    )


def oidc(value: str, text: Text) -> OidcConfig | None:
    """Reads the issuer's address; client, secret, name and domains are variables of their own."""
    if not value:
        return None
    if urlsplit(value).scheme not in {"http", "https"} or not urlsplit(value).hostname:
        raise ValueError("write the issuer's address, like https://login.example.org/realms/main")
    missing = [name for name in ("MODELYARD_OIDC_CLIENT_ID", "MODELYARD_OIDC_CLIENT_SECRET") if not text(name)]
    if missing:
        raise ValueError(f"{' and '.join(missing)} must be set too")
    return OidcConfig(
        issuer=value.rstrip("/"),
        client_id=text("MODELYARD_OIDC_CLIENT_ID"),
        client_secret=text("MODELYARD_OIDC_CLIENT_SECRET"),
        name=text("MODELYARD_OIDC_NAME") or (urlsplit(value).hostname or ""),
        domains=tuple(part.strip().lower() for part in text("MODELYARD_OIDC_DOMAINS").split(",") if part.strip()),
    )
