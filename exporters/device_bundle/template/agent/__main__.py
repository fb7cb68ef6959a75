"""``./modelyard-edge join URL CODE`` once, then ``./modelyard-edge run``."""

from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

from . import VERSION
from .agent import DEVICE_FILE, STATE_DIR, Agent, ServerOptions
from .files import json_read, json_write
from .platform_api import PlatformApi, RefusedError, UnreachableError
from .updates import SETTLE_S

HOME = Path(__file__).resolve().parent.parent
MIB = 1 << 20


def main() -> int:
    """Runs the command line."""
    bundle = json_read(HOME / "server" / "settings.json")
    parser = argparse.ArgumentParser(prog="modelyard-edge", description="The agent of this device")
    commands = parser.add_subparsers(dest="command", required=True)
    join = commands.add_parser("join", help="join a platform, once")
    join.add_argument("url", help="address of the platform")
    join.add_argument("code", help="join code, from the page Devices")
    join.add_argument(
        "--name", default=platform.node() or "device", help="what the page calls the device (default: %(default)s)"
    )
    join.add_argument("--again", action="store_true", help="although it has joined one already")
    run = commands.add_parser("run", help="serve, watch, update and report until it is asked to end")
    run.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other machines call the model (default: %(default)s)")
    run.add_argument("--port", type=int, default=bundle["port"], help="of the server (default: %(default)s)")
    run.add_argument("--max-buffer-mib", type=int, default=256, help="disk for what waits to be sent (default: %(default)s)")
    shown = "how long a new model is watched before the update counts as done (default: %(default)s)"
    run.add_argument("--settle-s", type=float, default=SETTLE_S, help=shown)
    run.add_argument("server", nargs="*", help="further options of the server, after --")
    commands.add_parser("bench", help="measure the model here, and send the figures to its page")
    commands.add_parser("status", help="which platform it has joined")
    options = parser.parse_args()
    return {"join": _join, "run": _run, "bench": _bench, "status": _status}[options.command](options)


def _join(options: argparse.Namespace) -> int:
    file = HOME / STATE_DIR / DEVICE_FILE
    if file.exists() and not options.again:
        sys.stderr.write(f"This device has joined {json_read(file).get('url')} already; --again joins another platform.\n")
        return 1
    bundle = json_read(HOME / "server" / "settings.json")
    body = {"code": options.code, "name": options.name, "version": VERSION, "model": bundle.get("model", ""), "facts": _facts()}
    try:
        joined = PlatformApi(options.url).join(body)
    except (UnreachableError, RefusedError, ValueError) as error:
        sys.stderr.write(f"The platform did not let the device in. {error}\n")
        return 1
    json_write(file, {"url": options.url, "device": joined["device"], "key": joined["key"]}, is_secret=True)
    sys.stdout.write(f"Joined as {joined['name']}. Now ./modelyard-edge run, or the service of systemd.\n")
    return 0


def _run(options: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    server = ServerOptions(options.host, options.port, tuple(options.server))
    agent = Agent(HOME, server, max_outbox_bytes=options.max_buffer_mib * MIB, settle_s=options.settle_s)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: agent.stop())
    agent.run()
    return 0


def _bench(options: argparse.Namespace) -> int:
    del options
    command = [sys.executable, "-m", "server", "bench"]
    done = subprocess.run(command, cwd=HOME, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    sys.stdout.write(done.stdout)
    joined = json_read(HOME / STATE_DIR / DEVICE_FILE)
    if done.returncode != 0 or not joined:
        return done.returncode
    figures = json.loads(done.stdout)
    try:
        PlatformApi(joined["url"], joined["key"]).measurement(figures)
    except (UnreachableError, RefusedError) as error:
        sys.stderr.write(f"The figures could not be sent. {error}\n")
        return 1
    return 0


def _status(options: argparse.Namespace) -> int:
    del options
    joined = json_read(HOME / STATE_DIR / DEVICE_FILE)
    sys.stdout.write(json.dumps({"platform": joined.get("url"), "device": joined.get("device")}) + "\n")
    return 0


def _facts() -> dict[str, str]:
    facts = {"system": platform.platform(), "machine": platform.machine(), "python": platform.python_version()}
    return {**facts, "cores": str(os.cpu_count() or 1)}


if __name__ == "__main__":
    sys.exit(main())
