"""Options that all commands share: the server's address and the key."""

from __future__ import annotations

import argparse

from modelyard.client import Client
from modelyard.credentials import credentials_read


def client_of(options: argparse.Namespace) -> Client:
    """The client of ``--url`` and ``--key``, the environment or the last sign-in.

    Raises:
        ModelyardError: none of these has the address and the key.
    """
    credentials = credentials_read(options.url, options.key)
    return Client(credentials.url, credentials.key)
