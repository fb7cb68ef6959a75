"""Failures that are injected into real trainings: is the cause named, are the items at fault, and does the first cure help?

Every failure is done to a running platform from outside: bytes of stored items are changed, processes of trials get signals
or limits of the system, weights are taken away, a small file system is mounted where trials write. A study starts, and what it
says is compared with what was done to it. Then what was done ends (a cure cannot mend a disk), the first cure that the page
offers as a button is pressed, and the study that it starts has to succeed. A study that succeeds in spite of what was done to
it, because the platform tried again by itself, needs no cure and counts as well.

A file system can be mounted by root only; elsewhere those failures are left out. ``FAILURES`` replaces the list of names.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks._platform import walking
from benchmarks.harness import Claim, Options, main
from benchmarks.small_sets._labelled import Labelled, LabelledSet
from benchmarks.small_sets.pictures import png
from benchmarks.small_sets.tables import TableSet
from tests.journeys.walk import ENDED, Walk
from tests.support.platform_process import Platform

TARGET = 25 / 30
STUDY_S = 600.0
WEIGHTS = Path("assets", "efficientnet_lite0", "weights.safetensors")
NUM_ITEMS, SIDE_PX = 16, 24
_WORDS = {"fault": ("crack", "broken", "leak", "torn"), "fine": ("smooth", "clean", "tight", "whole")}
_LOOK_EVERY_S = 0.02
_LEFT_BYTES = 2**20
"""Of address space, when a process has no more memory."""


@dataclass(frozen=True)
class Scene:
    """A project that is ready to train, and the platform's machine."""

    walk: Walk
    project: Mapping[str, Any]
    items: Sequence[Mapping[str, Any]]

    @property
    def home(self) -> Path:
        """Of the platform."""
        return self.walk.platform.home

    def blob(self, item: Mapping[str, Any]) -> Path:
        """Where the bytes of an item are."""
        digest = str(item["blob"]).rpartition(":")[2]
        return next((self.home / "blobs").rglob(digest))


Injection = Callable[[Scene], AbstractContextManager[Sequence[str]]]
"""Does something to a scene until it is left; ids of the items that are at fault."""


@dataclass(frozen=True)
class Failure:
    """What is done, and the causes that a person would call it by."""

    name: str
    data: str
    inject: Injection
    codes: frozenset[str]
    settings: Mapping[str, Any] = field(default_factory=dict)


# --- data -----------------------------------------------------------------------------------------------------------


def _pictures(seed: int) -> LabelledSet:
    """Discs and squares."""
    random = np.random.default_rng(seed)
    rows, columns = np.mgrid[:SIDE_PX, :SIDE_PX]
    items = []
    for number in range(2 * NUM_ITEMS):
        centre, reach = random.uniform(9, 15, size=2), random.uniform(5, 8)
        across = np.stack([rows - centre[0], columns - centre[1]])
        inside = np.hypot(*across) < reach if number % 2 else np.abs(across).max(axis=0) < 0.8 * reach
        picture = random.integers(0, 80, (SIDE_PX, SIDE_PX, 3)).astype(np.uint8)
        picture[inside] = random.integers(150, 256, 3)
        items.append(Labelled(png(picture), "disc" if number % 2 else "square"))
    return LabelledSet("shapes", "image_classification", "png", items, [], lambda _: {})


def _texts(seed: int) -> LabelledSet:
    """Sentences that a word of each label gives away."""
    random = np.random.default_rng(seed)
    items = [
        Labelled(f"Part {random.integers(1e6)} is {random.choice(words)} on side {random.integers(1e3)}.".encode(), label)
        for label, words in _WORDS.items()
        for _ in range(NUM_ITEMS)
    ]
    return LabelledSet("notes", "text_classification", "txt", items, [], lambda _: {})


def _rows(seed: int) -> TableSet:
    """Three numbers, and whether the first two are more than the third."""
    random = np.random.default_rng(seed)
    numbers_NC = random.normal(size=(6 * NUM_ITEMS, 3))
    rows = [[*(f"{number:.4f}" for number in row), "yes" if row[0] + row[1] > row[2] else "no"] for row in numbers_NC]
    return TableSet("parts", ("length", "width", "weight", "fits"), rows, [], ("no", "yes"), Path())


def _huge_rows(seed: int) -> TableSet:
    """The same, in a unit that no sum of squares bears."""
    small = _rows(seed)
    rows = [[f"{float(row[0]) * 1e300:.4e}", *row[1:]] for row in small.training]
    return replace(small, training=rows)


DATA: Mapping[str, Callable[[int], LabelledSet | TableSet]] = {
    "pictures": _pictures,
    "texts": _texts,
    "rows": _rows,
    "huge_rows": _huge_rows,
}
USUAL: Mapping[str, Mapping[str, Any]] = {
    "pictures": {"families": ["resnet"], "at_most": {"epochs": 2, "resolution_px": 32}},
    "texts": {"families": ["text_cnn"], "at_most": {"epochs": 2}},
    "rows": {"families": ["table_network"], "at_most": {"epochs": 5}},
    "huge_rows": {"families": ["table_network"], "at_most": {"epochs": 5}},
}


# --- what is done ---------------------------------------------------------------------------------------------------


@contextmanager
def _damaged(scene: Scene, *, alter: Callable[[bytes], bytes | None], number: int = 1) -> Iterator[Sequence[str]]:
    """Stored bytes of items become others, or are gone."""
    chosen = scene.items[:number]
    for item in chosen:
        path = scene.blob(item)
        content = alter(path.read_bytes())
        path.chmod(0o600)
        path.unlink()
        if content is not None:
            path.write_bytes(content)
    yield [item["id"] for item in chosen]


@contextmanager
def _met(scene: Scene, *, do: Callable[[psutil.Process], None]) -> Iterator[Sequence[str]]:
    """Every process of a job of the engine is met as soon as it is there."""
    is_over, met = threading.Event(), set()

    def watch() -> None:
        while not is_over.wait(_LOOK_EVERY_S):
            for server in scene.walk.platform.find("engine.forkserver"):
                with suppress(psutil.NoSuchProcess, ProcessLookupError):
                    for process in server.children():
                        if process.pid not in met and "engine.forkserver" in " ".join(process.cmdline()):
                            met.add(process.pid)
                            do(process)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield []
    finally:
        is_over.set()
        thread.join()


def _signalled(number: signal.Signals) -> Injection:
    return partial(_met, do=lambda process: process.send_signal(number))


def _limited(which: int, most: Callable[[psutil.Process], int]) -> Injection:
    def limit(process: psutil.Process) -> None:
        resource.prlimit(process.pid, which, (most(process), most(process)))

    return partial(_met, do=limit)


@contextmanager
def _moved(path: Callable[[Scene], Path], scene: Scene) -> Iterator[Sequence[str]]:
    """Something is not where it was."""
    place = path(scene)
    aside = place.with_name(f"{place.name}.aside")
    place.rename(aside)
    try:
        yield []
    finally:
        if place.is_dir():
            shutil.rmtree(place)
        aside.rename(place)


@contextmanager
def _flipped(path: Callable[[Scene], Path], scene: Scene) -> Iterator[Sequence[str]]:
    """A byte in the middle of a file is another."""
    place = path(scene)
    content = place.read_bytes()
    middle = len(content) // 2
    try:
        place.write_bytes(content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :])
        yield []
    finally:
        place.write_bytes(content)


@contextmanager
def _filled(scene: Scene, *, folder: str, size: str) -> Iterator[Sequence[str]]:
    """A folder of the platform is on a file system that is soon full."""
    place = scene.home / folder
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], check=True)
    try:
        yield []
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def _nothing(scene: Scene) -> AbstractContextManager[Sequence[str]]:
    del scene
    return nullcontext([])


def _weights(scene: Scene) -> Path:
    return scene.home / WEIGHTS


DAMAGED = frozenset({"item_damaged", "picture_unreadable", "text_unreadable", "data_invalid"})
KILLED = frozenset({"worker_crashed", "worker_lost", "out_of_memory"})
MEMORY = frozenset({"out_of_memory"})
FULL = frozenset({"disk_full"})
LOST = frozenset({"asset_missing", "asset_changed"})
NO_TIME = frozenset({"no_trial_started", "no_trial_succeeded", "time_limit"})
PROBE = {"families": ["linear_probe"], "at_most": {}}
TUNED = {**USUAL["pictures"], "families": ["efficientnet_lite"]}
FAILURES = (
    Failure("a picture was cut in half", "pictures", partial(_damaged, alter=lambda data: data[: len(data) // 2]), DAMAGED),
    Failure("a picture is other bytes", "pictures", partial(_damaged, alter=lambda data: data[::-1]), DAMAGED),
    Failure("a picture is empty", "pictures", partial(_damaged, alter=lambda _: b""), DAMAGED),
    Failure("a picture is gone", "pictures", partial(_damaged, alter=lambda _: None), DAMAGED),
    Failure("a picture is a page of HTML", "pictures", partial(_damaged, alter=lambda _: b"<!doctype html>\n"), DAMAGED),
    Failure("three pictures are damaged", "pictures", partial(_damaged, alter=lambda data: data[:40], number=3), DAMAGED),
    Failure("a picture of frozen features is damaged", "pictures", partial(_damaged, alter=lambda _: b"x"), DAMAGED, PROBE),
    Failure("a text is no UTF-8", "texts", partial(_damaged, alter=lambda data: data[:5] + b"\xff\xfe\xff"), DAMAGED),
    Failure("a text is gone", "texts", partial(_damaged, alter=lambda _: None), DAMAGED),
    Failure("pictures, SIGKILL", "pictures", _signalled(signal.SIGKILL), KILLED),
    Failure("pictures, SIGSEGV", "pictures", _signalled(signal.SIGSEGV), KILLED),
    Failure("pictures, SIGABRT", "pictures", _signalled(signal.SIGABRT), KILLED),
    Failure("pictures, SIGTERM", "pictures", _signalled(signal.SIGTERM), KILLED),
    Failure("texts, SIGKILL", "texts", _signalled(signal.SIGKILL), KILLED),
    Failure("texts, SIGBUS", "texts", _signalled(signal.SIGBUS), KILLED),
    Failure("rows, SIGKILL", "rows", _signalled(signal.SIGKILL), KILLED),
    Failure("rows, SIGILL", "rows", _signalled(signal.SIGILL), KILLED),
    Failure(
        "pictures, no memory left",
        "pictures",
        _limited(resource.RLIMIT_AS, lambda process: process.memory_info().vms + _LEFT_BYTES),
        MEMORY,
    ),
    Failure(
        "texts, no memory left",
        "texts",
        _limited(resource.RLIMIT_AS, lambda process: process.memory_info().vms + _LEFT_BYTES),
        MEMORY,
    ),
    Failure("pictures, no processor time left", "pictures", _limited(resource.RLIMIT_CPU, lambda _: 1), KILLED),
    Failure("pictures, files may not be larger", "pictures", _limited(resource.RLIMIT_FSIZE, lambda _: 2**16), FULL),
    Failure("pictures, no disk left for trials", "pictures", partial(_filled, folder="jobs", size="256k"), FULL),
    Failure("rows, no disk left for trials", "rows", partial(_filled, folder="jobs", size="64k"), FULL),
    Failure("pictures, no disk left for the cache", "pictures", partial(_filled, folder="cache", size="16k"), FULL),
    Failure("weights are gone", "pictures", partial(_moved, lambda scene: _weights(scene).parent), LOST, TUNED),
    Failure("weights have another byte", "pictures", partial(_flipped, _weights), LOST, TUNED),
    Failure("rows near the end of all numbers", "huge_rows", _nothing, frozenset({"nan_loss", "data_invalid"})),
    Failure("pictures, one second", "pictures", _nothing, NO_TIME, {"time_limit_s": 1.0}),
    Failure("texts, a tenth of a second", "texts", _nothing, NO_TIME, {"time_limit_s": 0.1}),
    Failure("rows, a tenth of a second", "rows", _nothing, NO_TIME, {"time_limit_s": 0.1}),
)
SMOKE = ("a text is gone",)


# --- a failure and its cure -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """What a study said, and what its cure came to."""

    code: str | None
    """None where the study succeeded all the same."""
    are_items_right: bool
    cure: str | None
    is_cured: bool
    message: str = ""


def measure(options: Options) -> list[Claim]:
    """Shares of the failures whose cause is named with its items, and that the first cure mends."""
    names = os.environ.get("FAILURES", "").split("|") if os.environ.get("FAILURES") else None
    chosen = [each for each in FAILURES if each.name in (names or options.pick([one.name for one in FAILURES], smoke=SMOKE))]
    named, cured, num = 0, 0, len(chosen)
    with walking() if options.is_smoke else _with_own_weights() as walk:
        for number, each in enumerate(chosen):
            found = _tried(walk, each, number)
            named += found.code is None or (found.code in each.codes and found.are_items_right)
            cured += found.is_cured
            sys.stderr.write(f"{each.name}: {found}\n")
    return [
        Claim("injected_failures", "whose cause is named, with the items at fault", named, num, named / num, 1.0),
        Claim(
            "injected_failures",
            "that run again to the end by the first cure, or by themselves",
            cured,
            num,
            cured / num,
            TARGET,
        ),
    ]


def _is_filled(platform: Platform) -> bool:
    """Whether the platform has fetched what it fetches when it starts."""
    return (platform.home / WEIGHTS).exists() and not platform.find("engine.assets", "fetch")


@contextmanager
def _with_own_weights() -> Iterator[Walk]:
    """A person on a platform whose store of weights is its own, so that some can be taken away."""
    with tempfile.TemporaryDirectory(prefix="modelyard-failures-") as folder:
        home = Path(folder)
        platform = Platform(home, {"MODELYARD_ASSETS": str(home / "assets")}).start(timeout_s=600)
        try:
            with Walk(platform) as walk:
                walk.until(lambda: _is_filled(platform), "the weights are not there", STUDY_S)
                yield walk
        finally:
            platform.stop()


def _tried(walk: Walk, failure: Failure, seed: int) -> Found:
    scene = _scene(walk, failure, seed)
    settings = {"goal": "fast", "max_trials": 1, "refits": False, **USUAL[failure.data], **failure.settings}
    version = walk.snapshot(scene.project["id"])
    with failure.inject(scene) as at_fault:
        order = {"project": scene.project["id"], "version": version["id"], "name": failure.name, "pruner": "none"}
        study = walk.call("POST", "/studies", json={**order, **settings})
        ended, _ = walk.study_ended(study["id"], timeout_s=STUDY_S)
    why = walk.call("GET", f"/studies/{study['id']}/cures")
    if why["code"] is None:
        return Found(None, not at_fault, None, ended["state"] == "succeeded")
    are_items_right = sorted(each["id"] for each in why["items"]) == sorted(at_fault)
    cure = next((each["name"] for each in why["cures"] if each["page"] is None), None)
    is_cured = cure is not None and _is_cured(walk, study["id"], cure)
    return Found(why["code"], are_items_right, cure, is_cured, str((ended["error"] or {}).get("message", "")))


def _scene(walk: Walk, failure: Failure, seed: int) -> Scene:
    made = DATA[failure.data](seed)
    body = {"workspace": walk.workspace, "name": failure.name, "task": made.task, "task_options": dict(made.options)}
    project = walk.call("POST", "/projects", json=body)
    made.upload(walk, project)
    items = walk.call("GET", f"/datasets/{project['dataset']}/items", params={"limit": 10})["items"]
    return Scene(walk, project, items)


def _is_cured(walk: Walk, study: str, cure: str) -> bool:
    """Whether the study that a cure starts succeeds."""
    started = walk.call("POST", f"/studies/{study}/cures/{cure}", json={})
    if "job" in started:  # it cuts a version first
        if walk.job(started["job"]["id"], until=ENDED)["state"] != "succeeded":
            return False
        started = {"id": walk.call("GET", f"/studies/{study}/cures")["job"]["made"]}
    ended, _ = walk.study_ended(started["id"], timeout_s=STUDY_S)
    return bool(ended["state"] == "succeeded")


if __name__ == "__main__":
    main(measure)
