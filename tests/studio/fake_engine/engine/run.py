"""A small engine for tests of the runner: a real process that speaks the protocol and behaves as its parameters say.

It stands in a source root of its own, which tests set as ``REPOSITORY_DIR``; there is no fork server beside it.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from automl.contracts.dataset import Split
from automl.contracts.job import Checkpoint, EventLine, Failed, Finished, JobSpec, Metric, Progress, Started, StopReason, Warned


def main(workdir: Path) -> int:
    spec = JobSpec.read(workdir / "job.json")
    behaviour = str(spec.train.params["behaviour"])
    marks = workdir / "checkpoints"
    marks.mkdir(exist_ok=True)
    attempt = len(list(marks.iterdir())) + 1
    (marks / f"attempt-{attempt}").touch()
    now = datetime.now(UTC)
    say(workdir, Started(at=now, pid=os.getpid(), attempt=attempt))
    print(f"attempt {attempt}: {behaviour}", flush=True)
    say(workdir, Warned(at=now, code="small_data", message="few pictures"))
    for step in range(1, 4):
        say(workdir, Progress(at=now, stage="train", fraction=step / 4, remaining_s=1.0))
        say(workdir, Metric(at=now, step=step, epoch=step, split=Split.VALIDATION, values={"accuracy": step / 10}))
        say(workdir, Checkpoint(at=now, step=step))
    return BEHAVIOURS[behaviour](workdir, attempt)


def say(workdir: Path, event) -> None:
    with (workdir / "events.jsonl").open("ab") as file:
        file.write(EventLine.dump_json(event) + b"\n")


def succeed(workdir: Path, attempt: int) -> int:
    (workdir / "artefact").mkdir(exist_ok=True)
    (workdir / "artefact" / "model.onnx").write_bytes(b"model of attempt %d" % attempt)
    say(workdir, Finished(at=datetime.now(UTC), metrics={"accuracy": 0.9}))
    return 0


def fail(workdir: Path, attempt: int) -> int:
    say(workdir, Failed(at=datetime.now(UTC), code="label_set_empty", message="No labels.", hint="Add one.", items=("itm_1",)))
    return 1


def fail_once(workdir: Path, attempt: int) -> int:
    if attempt > 1:
        return succeed(workdir, attempt)
    say(workdir, Failed(at=datetime.now(UTC), code="cache_full", message="Disk is full.", hint="Wait.", is_retryable=True))
    return 1


def outgrow(workdir: Path, attempt: int) -> int:
    """Has no memory for batches in fewer than four parts."""
    if (JobSpec.read(workdir / "job.json").limits.batch_parts or 1) >= 4:
        return succeed(workdir, attempt)
    say(workdir, Failed(at=datetime.now(UTC), code="out_of_memory", message="No memory.", hint="Take less."))
    return 1


def crash(workdir: Path, attempt: int) -> int:
    with (workdir / "events.jsonl").open("ab") as file:
        file.write(b'{"type": "progre')
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def crash_once(workdir: Path, attempt: int) -> int:
    return succeed(workdir, attempt) if attempt > 1 else os._exit(7)


def hang(workdir: Path, attempt: int) -> int:
    time.sleep(600)
    return 0


def wait(workdir: Path, attempt: int) -> int:
    """Works until it is asked to stop, as a training loop does; at the latest for a minute."""
    stop = workdir / "control" / "stop"
    for _ in range(600):
        if stop.exists():
            say(workdir, Finished(at=datetime.now(UTC), stopped=StopReason(stop.read_text())))
            return 0
        time.sleep(0.1)
    return 1


def wait_once(workdir: Path, attempt: int) -> int:
    return succeed(workdir, attempt) if attempt > 1 else wait(workdir, attempt)


def meet(workdir: Path, attempt: int) -> int:
    """Meets the process of another host and waits until that is gone; alone it succeeds."""
    group = JobSpec.read(workdir / "job.json").hosts
    if group is None:
        return succeed(workdir, attempt)
    address, port = group.meeting.split(":")
    if group.is_first:
        with socket.create_server((address, int(port))) as server:
            connection, _ = server.accept()
            say(workdir, Warned(at=datetime.now(UTC), code="met", message=connection.recv(100).decode()))
            return wait(workdir, attempt)
    while True:
        with suppress(OSError), socket.create_connection((address, int(port))) as connection:
            connection.sendall(workdir.name.encode())
            return wait(workdir, attempt)
        time.sleep(0.1)


BEHAVIOURS = {f.__name__: f for f in (succeed, fail, fail_once, outgrow, crash, crash_once, hang, wait, wait_once, meet)}

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
