"""Starts the prediction server: ``python -m runtime.server --serving DIR --host H --port P``.

The only module that knows uvicorn; it is imported when the server starts, because the model loads meanwhile.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from .app import Application
from .headers import MetricsAccess
from .journal import Journal
from .pool import Pool, num_cores
from .serving import ServingFolder

METRICS_TOKEN = "MODELYARD_METRICS_TOKEN"  # noqa: S105 - the variable's name
GRACE_S = 30
"""How long calls in flight may take after the server was asked to end."""


def serve(app: Application, *, host: str, port: int, listening: socket.socket | None = None) -> None:
    """Serves until SIGTERM or Ctrl-C, then finishes the calls in flight and the log.

    Args:
        app: what answers.
        host: address to listen on.
        port: of it.
        listening: the port where it is open already, shared with other processes.
    """
    import uvicorn  # noqa: PLC0415 - see the module docstring

    # uvicorn raises the signal again when it has finished; this makes that an orderly end.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        interface="asgi3",
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    uvicorn.Server(config).run([listening] if listening is not None else None)


def _end(*_: object) -> NoReturn:
    raise SystemExit(0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves the platform's folder of deployments. The token of the metrics is in the environment: arguments can be listed."""
    parser = argparse.ArgumentParser(description="Prediction server of Modelyard")
    parser.add_argument("--serving", type=Path, required=True, help="folder with deployments/ and keys.json")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--threads", type=int, default=num_cores(), help="pictures answered at the same time")
    parser.add_argument("--cors-origin", action="append", default=[], help="origin whose pages may call; may be given again")
    parser.add_argument(
        "--open-metrics",
        action="store_true",
        help="let other machines read /metrics; where a token is set, it is asked for all the same",
    )
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    app = Application(
        ServingFolder(options.serving),
        pool=Pool(options.threads),
        journal=Journal(options.serving),
        cors_origins=tuple(options.cors_origin),
        metrics_access=MetricsAccess(os.environ.get(METRICS_TOKEN, "").strip(), options.open_metrics),
    )
    serve(app, host=options.host, port=options.port)


if __name__ == "__main__":
    main()
