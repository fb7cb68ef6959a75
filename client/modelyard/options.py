"""What the commands share: the server they speak to."""

from __future__ import annotations

import argparse

from modelyard.client import Client
from modelyard.credentials import credentials_read


def client_of(options: argparse.Namespace) -> Client:
    """The client of ``--url`` and ``--key``, the environment or the last sign-in.

    Raises:
        ModelyardError: none of them says where the server is.
    """
    credentials = credentials_read(options.url, options.key)
    return Client(credentials.url, credentials.key)
