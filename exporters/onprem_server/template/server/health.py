"""Asks the server of this container whether it is ready: ``python -m server.health``; needs nothing but Python."""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

TIMEOUT_S = 4


def main() -> int:
    """0 when the model is warm, else 1."""
    bundle = json.loads((Path(__file__).parent / "settings.json").read_text(encoding="utf-8"))
    port = int(os.environ.get("MODEL_SERVER_PORT") or bundle["port"])
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT_S) as answer:
            return 0 if answer.status == 200 else 1
    except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
