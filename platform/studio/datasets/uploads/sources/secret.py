"""Keeps a source's keys unreadable in the database while its job waits and runs: AES-GCM under a key made of SECRET_KEY."""

from __future__ import annotations

import base64
import hashlib

from Crypto.Cipher import AES
from django.conf import settings

_NONCE_BYTES = 16
_TAG_BYTES = 16


def secret_seal(text: str) -> str:
    """Encrypts a text."""
    cipher = AES.new(_key(), AES.MODE_GCM)
    data, tag = cipher.encrypt_and_digest(text.encode())
    return base64.b64encode(cipher.nonce + tag + data).decode()


def secret_open(sealed: str) -> str:
    """Decrypts what ``secret_seal`` made.

    Raises:
        ValueError: it was changed, or SECRET_KEY was.
    """
    raw = base64.b64decode(sealed, validate=True)
    nonce, tag, data = raw[:_NONCE_BYTES], raw[_NONCE_BYTES : _NONCE_BYTES + _TAG_BYTES], raw[_NONCE_BYTES + _TAG_BYTES :]
    return AES.new(_key(), AES.MODE_GCM, nonce=nonce).decrypt_and_verify(data, tag).decode()


def _key() -> bytes:
    return hashlib.sha256(b"modelyard.datasets.sources\0" + settings.SECRET_KEY.encode()).digest()
