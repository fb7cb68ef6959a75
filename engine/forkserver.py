"""Starts jobs from a process that has torch imported: ``python -m engine.forkserver SOCKET_PATH [PARENT_PID]``.

A search runs many short trials, and importing torch and the exporter takes longer than some of them. The server imports once
and forks for each job. It computes nothing itself: a forked copy of a thread pool or of a device context is dead, so it
starts no thread and touches no device.

The protocol, one connection a job, one JSON object a line::

    -> {"workdir": "/path", "num_threads": 1}
    <- {"pid": 123}                               the job runs
    <- {"exit_code": 0}  or  {"signal": 9}        it ended, and the server closes

A request that cannot be served is answered by ``{"error": "..."}``. A client that closes early ends its job: SIGTERM, and
SIGKILL when that does not help within five seconds. When the server's parent is gone, the server and its jobs end too, also
while the server is still importing: then nobody would be left to notice that it came up.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from automl.contracts.listing import kind_names
from engine import run
from engine.process import configure_logging, die_with, give_way

KILL_AFTER_S = 5.0
_LOOK_EVERY_S = 0.5
_MAX_REQUEST_BYTES = 64 * 1024
_PRELOADED = (
    "torch",
    "torch.onnx._internal.exporter._core",
    "torch.onnx._internal.exporter._compat",
    "torch.export._trace",
    "torch._dynamo",
    "onnxscript",
    "onnxscript.function_libs.torch_lib.ops",
    "onnxscript.rewriter.onnx_fusions",
    "onnxruntime",
    "safetensors.torch",
    "engine.training.train",
    "engine.training.judge",
    "engine.training.refit",
    "engine.embedding.run",
)
"""What the frequent jobs import, so that a child starts with it; the others (``engine.run``) import their own. Much of it would
be imported only by the first export."""
_PRELOADED_LATER = ("sklearn.decomposition", "sklearn.linear_model", "engine.embedding.layout")
"""What short jobs import that come after others. A quiet moment is early enough, and the first job does not wait for it."""
_QUIET_S = 3.0
_PRELOADED_KINDS = ("engine.training.ways", "engine.items", "engine.answers", "runtime.items", "runtime.answers")
"""The same of packages whose modules jobs find by listing."""


@dataclass(eq=False)
class _Client:
    """One connection and its job."""

    connection: socket.socket
    received: bytearray = field(default_factory=bytearray)
    pid: int | None = None
    kill_at_s: float | None = None
    """When SIGKILL follows SIGTERM; None while nobody wants the job's end."""


class ForkServer:
    """One thread, one selector: requests, ends of children and hang-ups are the same loop."""

    def __init__(self, socket_path: Path, parent: int):
        self._socket_path = socket_path
        self._parent = parent
        self._clients: set[_Client] = set()
        self._is_ending = False
        self._selector = selectors.DefaultSelector()
        self._listener = _listen(socket_path)
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._wake_reader.setblocking(False)
        self._wake_writer.setblocking(False)
        self._later: list[Callable[[], object]] = [
            translations_read,
            backends_read,
            *(partial(import_module, name) for name in _PRELOADED_LATER),
        ]
        self._busy_at_s = time.monotonic()

    def serve(self) -> None:
        """Serves until a signal says stop or the parent is gone."""
        signal.set_wakeup_fd(self._wake_writer.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)  # a handler makes the signal write to the wake-up descriptor
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._wake_reader, selectors.EVENT_READ)
        while not self._is_ending and os.getppid() == self._parent:
            for key, _ in self._selector.select(timeout=_LOOK_EVERY_S):
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj is self._wake_reader:
                    self._wake_reader.recv(4096)
                else:
                    self._read(key.data)
            self._reap()
            self._kill_overdue()
            self._preload()
        self._shut_down()

    def _preload(self) -> None:
        """Makes ready one of the things that are left, where nobody has asked for anything for a while."""
        now_s = time.monotonic()
        if self._clients:
            self._busy_at_s = now_s
        elif self._later and now_s - self._busy_at_s > _QUIET_S:
            self._later.pop(0)()
            gc.freeze()

    def _end(self, *_: object) -> None:
        self._is_ending = True

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        connection.setblocking(False)
        client = _Client(connection)
        self._clients.add(client)
        self._selector.register(connection, selectors.EVENT_READ, client)

    def _read(self, client: _Client) -> None:
        try:
            content = client.connection.recv(4096)
        except BlockingIOError:
            return
        except ConnectionError:
            content = b""
        if not content:
            self._hang_up(client)
            return
        client.received += content
        if client.pid is None and (b"\n" in client.received or len(client.received) > _MAX_REQUEST_BYTES):
            self._start(client)

    def _start(self, client: _Client) -> None:
        try:
            workdir, num_threads = _parsed(bytes(client.received))
        except ValueError as error:
            _send(client, {"error": str(error)})
            self._forget(client)
            return
        server = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._become_job(workdir, num_threads, server)
        client.pid = pid
        _send(client, {"pid": pid})

    def _become_job(self, workdir: Path, num_threads: int, server: int) -> NoReturn:
        """Turns the forked child into the job. It never returns into the server's loop."""
        status = 1
        try:
            os.setsid()
            die_with(server)
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD, signal.SIGALRM):
                signal.signal(number, signal.SIG_DFL)
            self._selector.close()
            for end in (self._listener, self._wake_reader, self._wake_writer, *(client.connection for client in self._clients)):
                end.close()
            _write_to_log(workdir / "log.txt")
            os.environ["OMP_NUM_THREADS"] = str(num_threads)
            configure_logging()
            status = run.run(workdir)
        except BaseException:  # the edge of the process; a child must never run on as a second server
            logging.getLogger("engine").exception("The job could not be run.")
        finally:
            logging.shutdown()
            os._exit(status)

    def _reap(self) -> None:
        for client in [client for client in self._clients if client.pid is not None]:
            assert client.pid is not None
            pid, status = os.waitpid(client.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                _send(client, {"exit_code": code} if code >= 0 else {"signal": -code})
                self._forget(client)

    def _hang_up(self, client: _Client) -> None:
        if client.pid is None:
            self._forget(client)
        else:
            self._selector.unregister(client.connection)
            client.kill_at_s = time.monotonic() + KILL_AFTER_S
            _signal_group(client.pid, signal.SIGTERM)

    def _kill_overdue(self) -> None:
        for client in self._clients:
            if client.pid is not None and client.kill_at_s is not None and time.monotonic() >= client.kill_at_s:
                _signal_group(client.pid, signal.SIGKILL)

    def _forget(self, client: _Client) -> None:
        self._clients.discard(client)
        with suppress(KeyError):  # a client that hung up is no longer listened to
            self._selector.unregister(client.connection)
        client.connection.close()

    def _shut_down(self) -> None:
        self._socket_path.unlink(missing_ok=True)
        self._listener.close()
        for client in self._clients:
            if client.pid is not None:
                _signal_group(client.pid, signal.SIGTERM)
        deadline_s = time.monotonic() + KILL_AFTER_S
        while any(client.pid for client in self._clients) and time.monotonic() < deadline_s:
            self._reap()
            time.sleep(0.02)
        for client in self._clients:
            if client.pid is not None:
                _signal_group(client.pid, signal.SIGKILL)
                os.waitpid(client.pid, 0)


def _listen(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)  # who may write here may run jobs as this user
    try:
        listener.bind(str(path))
    finally:
        os.umask(before)
    listener.listen(64)
    listener.setblocking(False)
    return listener


def _parsed(line: bytes) -> tuple[Path, int]:
    """The request.

    Raises:
        ValueError: it is none.
    """
    request = json.loads(line)
    if not isinstance(request, dict) or not isinstance(request.get("workdir"), str):
        raise ValueError('a request is {"workdir": path, "num_threads": n}')
    workdir, num_threads = Path(request["workdir"]), request.get("num_threads", 1)
    if not workdir.is_absolute() or not workdir.is_dir():
        raise ValueError(f"{workdir} is no absolute path of a directory")
    if not isinstance(num_threads, int) or num_threads < 1:
        raise ValueError("num_threads is a whole number of at least 1")
    return workdir, num_threads


def _send(client: _Client, answer: dict[str, int | str]) -> None:
    with suppress(OSError):  # the client is gone; the next read sees it
        client.connection.sendall(json.dumps(answer).encode() + b"\n")


def _signal_group(pid: int, number: signal.Signals) -> None:
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        with suppress(ProcessLookupError):
            os.kill(pid, number)  # it has not reached setsid yet


def _write_to_log(path: Path) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    os.close(nothing)


def _end_when_orphaned(parent: int) -> None:
    """Looks for the parent at each alarm. A thread could do that too, but a process that forks must have only one."""

    def look(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK_EVERY_S, _LOOK_EVERY_S)
    look()


def preload() -> None:
    """Imports what the frequent jobs do."""
    found = [f"{package}.{kind}" for package in _PRELOADED_KINDS for kind in kind_names(package)]
    for name in (*_PRELOADED, *found):
        import_module(name)


def backends_read() -> None:
    """What computes features of a frozen backbone takes a quarter of a second to import."""
    import_module("engine.data.backend").openvino_imported()


def translations_read() -> None:
    """Reads how operators are exported, which takes a second."""
    import_module("engine.artefact.graph").translations()


def main() -> int:
    """The command line."""
    if len(sys.argv) not in {2, 3}:
        sys.stderr.write("usage: python -m engine.forkserver SOCKET_PATH [PARENT_PID]\n")
        return 2
    parent = int(sys.argv[2]) if len(sys.argv) == 3 else os.getppid()
    _end_when_orphaned(parent)
    give_way()
    gc.disable()  # what is imported stays: to look through it again and again for garbage takes a second
    preload()
    gc.collect()
    gc.freeze()  # a collection in a child would touch, and so copy, every page that is shared
    gc.enable()
    signal.setitimer(signal.ITIMER_REAL, 0)
    ForkServer(Path(sys.argv[1]), parent).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
