"""Serves the model of this bundle: ``python -m server --help``; options may stand in the environment: MODEL_SERVER_PORT=80."""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import socket
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from .installed import InstalledSource, deployment_of
from .runtime import bench, selftest, updating
from .runtime.app import Application, Page
from .runtime.backend_choice import ChosenModel, backend_choose, backend_open, others_here
from .runtime.backends import NAMES as BACKENDS
from .runtime.backends import USUAL
from .runtime.errors import RuntimeFault
from .runtime.headers import MetricsAccess
from .runtime.journal import Journal
from .runtime.metrics import SharedCounts
from .runtime.pool import Pool, num_cores
from .runtime.server import serve
from .runtime.state import OPEN_WORKSPACE, Key, Settings, Snapshot, deployments_index
from .runtime.updates import Current, InstalledModels
from .runtime.workers import WorkersUnsupportedError, can_fork, in_copy, listen, workers_run

HERE = Path(__file__).resolve().parent
AUTO = "auto"

Bundle = dict[str, Any]


def main() -> int:
    """Serves until asked to end, installs a model with ``update``, or replays the golden samples with ``--selftest``."""
    bundle = json.loads((HERE / "settings.json").read_text(encoding="utf-8"))
    models = InstalledModels(HERE.parent, shipped=bundle["model"])
    if sys.argv[1:2] == ["update"]:
        return updating.main(models, sys.argv[2:], prog="start update")
    if sys.argv[1:2] == ["bench"]:
        current = models.current()
        return bench.main(current.artefact_dir, current.model, sys.argv[2:], prog="start bench")
    options = _parser(bundle).parse_args()
    if options.selftest:
        return selftest.main(models.current().artefact_dir, USUAL if options.backend == AUTO else options.backend)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    try:
        if options.workers > 1:
            _serve_many(bundle, models, options)
        else:
            _serve(bundle, models, options, _load(models.current(), options.backend))
    except RuntimeFault as fault:
        sys.stderr.write(f"{fault.detail}\n{fault.hint}\n")
        return 1
    return 0


def _serve(
    bundle: Bundle,
    models: InstalledModels,
    options: argparse.Namespace,
    chosen: ChosenModel,
    shared: tuple[socket.socket, SharedCounts] | None = None,
) -> None:
    """Serves in this process.

    Args:
        bundle: what the export chose.
        models: of this bundle.
        options: of the command line.
        chosen: the model, loaded.
        shared: the open port and the counters, where several processes serve.
    """
    current = models.current()
    deployment = deployment_of(_settings(bundle, options), current, chosen)
    snapshot = Snapshot(deployments_index([deployment]), _keys(options.keys))
    app = Application(
        InstalledSource(models, deployment, snapshot, partial(_load, backend=options.backend)),
        pool=Pool(options.threads),
        journal=Journal(options.log) if options.log else None,
        cors_origins=tuple(options.cors_origin),
        metrics_access=MetricsAccess(options.metrics_token, options.open_metrics),
        shared_counts=shared[1] if shared else None,
        pages=_pages(),
        easydl_paths={bundle["easydl_path"]: bundle["name"]} if bundle["easydl_path"] else None,
    )
    by = chosen.predictor.backend.name
    sys.stderr.write(f"Serving {bundle['name']} at http://{options.host}:{options.port} with {by}\n")
    serve(app, host=options.host, port=options.port, listening=shared[0] if shared else None)


def _serve_many(bundle: Bundle, models: InstalledModels, options: argparse.Namespace) -> None:
    """Serves in several processes.

    A model that ONNX Runtime runs is loaded once and shared. Other libraries start threads, which no copy of a process has, so
    that each worker loads its own.
    """
    if not can_fork():
        raise WorkersUnsupportedError
    current, backend = models.current(), options.backend
    if backend == AUTO:
        backend = in_copy(lambda: _load(current, AUTO).predictor.backend.name) if others_here() else USUAL
    shared = _load(current, USUAL) if backend in ("", USUAL) else None
    options.backend = backend or USUAL
    with tempfile.TemporaryDirectory() as folder:
        listening, counts = listen(options.host, options.port), SharedCounts(Path(folder))

        def work() -> None:
            now = models.current()
            is_loaded = shared is not None and now == current
            chosen = shared if is_loaded and shared is not None else _load(now, options.backend)
            _serve(bundle, models, options, chosen, (listening, counts))

        workers_run(options.workers, work)


def _load(current: Current, backend: str) -> ChosenModel:
    return backend_choose(current.artefact_dir) if backend == AUTO else backend_open(current.artefact_dir, backend)


def _settings(bundle: Bundle, options: argparse.Namespace) -> Settings:
    return Settings(
        id=bundle["name"],
        slug=bundle["name"],
        workspace=OPEN_WORKSPACE,
        artefact=bundle["model"],
        artefact_dir="",
        is_running=True,
        thresholds=None,
        keep_inputs=options.keep_inputs,
        min_uncertainty=options.min_uncertainty,
        max_body_bytes=options.max_body_mib << 20,
        quota_per_minute=None,
    )


def _pages() -> dict[str, Page]:
    """The page to try the model, its description, and what else the folder ``pages`` holds."""
    pages = {
        "/": Page("text/html; charset=utf-8", (HERE / "page.html").read_bytes()),
        "/openapi.json": Page("application/json", (HERE.parent / "openapi.json").read_bytes()),
    }
    for file in (HERE / "pages").glob("*.html"):
        pages[f"/{file.stem}"] = Page("text/html; charset=utf-8", file.read_bytes())
    return pages


def _parser(bundle: dict[str, str]) -> argparse.ArgumentParser:
    shown = f"Serves the model {bundle['name']}. Other commands: start update FILE replaces it, start bench measures it."
    parser = argparse.ArgumentParser(prog="start", description=shown)
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other machines call (default: %(default)s)")
    parser.add_argument("--port", type=int, default=bundle["port"], help="default: %(default)s")
    parser.add_argument("--keys", type=Path, help="file with one API key a line; without it everybody may call")
    parser.add_argument("--cors-origin", action="append", default=[], help="origin whose pages may call; may be given again")
    parser.add_argument("--threads", type=int, default=num_cores(), help="items answered at once (default: %(default)s)")
    shown = "processes that answer; more than one only where Python itself is the limit (default: %(default)s)"
    parser.add_argument("--workers", type=int, default=1, help=shown)
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
