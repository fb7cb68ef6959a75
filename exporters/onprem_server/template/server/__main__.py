"""Serves the model of this bundle: ``python -m server --help``; options may stand in the environment: MODEL_SERVER_PORT=80."""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import sys
from pathlib import Path

from .runtime import selftest
from .runtime.app import Application, Page
from .runtime.backends import NAMES as BACKENDS
from .runtime.backends import USUAL
from .runtime.errors import ArtefactUnreadableError
from .runtime.heads import MetricsAccess
from .runtime.journal import Journal
from .runtime.pool import Pool, num_cores
from .runtime.server import serve
from .runtime.state import OPEN_WORKSPACE, Deployment, FixedSource, Key, Settings, Snapshot, deployments_index
from .runtime.trial import backend_choose, backend_open

HERE = Path(__file__).resolve().parent
ARTEFACT_DIR = HERE.parent / "artefact"
AUTO = "auto"


def main() -> int:
    """Serves until asked to end, or replays the golden samples with ``--selftest``."""
    bundle = json.loads((HERE / "settings.json").read_text(encoding="utf-8"))
    options = _parser(bundle).parse_args()
    if options.selftest:
        return selftest.main(ARTEFACT_DIR, USUAL if options.backend == AUTO else options.backend)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    try:
        chosen = backend_choose(ARTEFACT_DIR) if options.backend == AUTO else backend_open(ARTEFACT_DIR, options.backend)
    except ArtefactUnreadableError as error:
        sys.stderr.write(f"{error.detail}\n{error.hint}\n")
        return 1
    settings = Settings(
        id=bundle["name"],
        slug=bundle["name"],
        workspace=OPEN_WORKSPACE,
        artefact=bundle["model"],
        artefact_dir=str(ARTEFACT_DIR),
        is_running=True,
        thresholds=None,
        keep_inputs=options.keep_inputs,
        min_uncertainty=options.min_uncertainty,
        max_body_bytes=options.max_body_mib << 20,
        quota_per_minute=None,
    )
    deployment = Deployment(settings, chosen.predictor, tried=chosen.tried)
    app = Application(
        FixedSource(Snapshot(deployments_index([deployment]), _keys(options.keys))),
        pool=Pool(options.threads),
        journal=Journal(options.log) if options.log else None,
        cors_origins=tuple(options.cors_origin),
        metrics_access=MetricsAccess(options.metrics_token, options.open_metrics),
        pages={
            "/": Page("text/html; charset=utf-8", (HERE / "page.html").read_bytes()),
            "/openapi.json": Page("application/json", (HERE.parent / "openapi.json").read_bytes()),
        },
        easydl_paths={bundle["easydl_path"]: bundle["name"]} if bundle["easydl_path"] else None,
    )
    by = chosen.predictor.backend.name
    sys.stderr.write(f"Serving {bundle['name']} at http://{options.host}:{options.port} with {by}\n")
    serve(app, host=options.host, port=options.port)
    return 0


def _parser(bundle: dict[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="start", description=f"Serves the model {bundle['name']}")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other machines call (default: %(default)s)")
    parser.add_argument("--port", type=int, default=bundle["port"], help="default: %(default)s")
    parser.add_argument("--keys", type=Path, help="file with one API key a line; without it everybody may call")
    parser.add_argument("--cors-origin", action="append", default=[], help="origin whose pages may call; may be given again")
    parser.add_argument("--threads", type=int, default=num_cores(), help="items answered at once (default: %(default)s)")
    shown = f"what runs the model; {AUTO} takes the fastest that answers as the trained model does (default: %(default)s)"
    parser.add_argument("--backend", choices=(AUTO, *BACKENDS), default=AUTO, help=shown)
    parser.add_argument("--max-body-mib", type=int, default=16, help="largest request (default: %(default)s)")
    parser.add_argument("--log", type=Path, help="folder for the prediction log; without it none is kept")
    parser.add_argument("--keep-inputs", choices=("none", "uncertain", "all"), default="none", help="inputs the log keeps")
    parser.add_argument("--min-uncertainty", type=float, default=0.5, help="what uncertain keeps (default: %(default)s)")
    parser.add_argument("--open-metrics", action="store_true", help="let other machines read /metrics")
    shown = "read /metrics from anywhere with Authorization: Bearer TOKEN, and not without; better in the environment"
    parser.add_argument("--metrics-token", default="", help=shown)
    _environment_read(parser)
    parser.add_argument("--selftest", action="store_true", help="replay the golden samples and end")
    return parser


def _environment_read(parser: argparse.ArgumentParser) -> None:
    """Takes ``MODEL_SERVER_<OPTION>`` for what the command line leaves out; several origins stand with commas between."""
    for action in parser._actions:
        given = os.environ.get(f"MODEL_SERVER_{action.dest.upper()}", "")
        if not given or action.dest == "help":
            continue
        if isinstance(action.default, bool):
            action.default = given.lower() in {"1", "true", "yes"}
        elif isinstance(action.default, list):
            action.default = [each.strip() for each in given.split(",") if each.strip()]
        else:
            action.default = given  # read by the option's own type
            if action.choices is not None and given not in action.choices:
                parser.error(f"MODEL_SERVER_{action.dest.upper()} must be one of {', '.join(action.choices)}, not {given}")


def _keys(file: Path | None) -> dict[str, Key] | None:
    if file is None:
        return None
    secrets = [line.strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {
        hashlib.sha256(secret.encode()).hexdigest(): Key(id=f"line {number}", workspace=OPEN_WORKSPACE, expires_at=None)
        for number, secret in enumerate(secrets, 1)
    }


if __name__ == "__main__":
    sys.exit(main())
