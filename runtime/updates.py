"""Gives an installed product another model, and nothing else: checked before the switch, and the one before is kept.

::

    artefact/               the model that came with the product
    models/current.json     which model answers; not there: the one that came with the product
    models/<sha256>/        the model of an update

``current.json`` is replaced in one step, after the new model has been written to disk and has answered its golden samples. So a
product that is killed at any moment comes back with one of the two models, whole.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from .errors import RuntimeFault
from .hashes import HASHES_FILE, file_sha256, hashes_check
from .predictor import MANIFEST_FILE
from .update_format import ARTEFACT_DIR, FORMAT, UPDATE_FILE

MODELS_DIR = "models"
CURRENT_FILE = "current.json"
MAX_UNPACKED_BYTES = 8 << 30
SELFTEST_TIMEOUT_S = 600


class UpdateInvalidError(RuntimeFault):
    """The file is no update, or a damaged one."""

    code = "update_invalid"
    status = 422
    title = "This file is not a model update"
    hint = "Export the model again as a model update, and copy the file whole."


class UpdateTooNewError(RuntimeFault):
    """The product is older than the update."""

    code = "update_too_new"
    status = 422
    title = "The update needs a newer product"
    hint = "Export the whole product again and install it once."


class UpdateOtherTaskError(RuntimeFault):
    """The new model reads or answers something else."""

    code = "update_other_task"
    status = 422
    title = "The update is for another task"
    hint = "Export the whole product for this model."


class UpdateOtherLabelsError(RuntimeFault):
    """The new model has other labels, and nobody allowed that."""

    code = "update_other_labels"
    status = 422
    title = "The new model has other labels"
    hint = "Repeat with --allow-other-labels if the programs that call the model can deal with them."


class UpdateSelftestError(RuntimeFault):
    """On this machine the new model does not answer as it was trained to."""

    code = "update_selftest_failed"
    status = 422
    title = "The new model failed its selftest"
    hint = "The model before stays. Look at the detail; export the whole product if this machine's libraries are older."


class UpdateNoneBeforeError(RuntimeFault):
    """There is nothing to go back to."""

    code = "update_none_before"
    status = 409
    title = "No model was there before"
    hint = "Install the model that you want as an update."


class UpdateNotWritableError(RuntimeFault):
    """The disk is full, or the folder may not be written to."""

    code = "update_not_writable"
    title = "The update cannot be written"
    hint = "Make space, or give the user that runs this command the right to write to the product's folder."


@dataclass(frozen=True, slots=True)
class Current:
    """Which model answers."""

    model: str
    """By which answers name it."""
    artefact_dir: Path
    can_roll_back: bool


class InstalledModels:
    """The models of a product on this machine."""

    def __init__(self, home: Path, *, shipped: str = "", artefact_dir: Path | None = None) -> None:
        """Looks at a product.

        Args:
            home: the product's folder, in which ``models/`` is made by the first update.
            shipped: by which answers name the model that came with it.
            artefact_dir: that model; None: ``artefact`` in ``home``.
        """
        self._models = home / MODELS_DIR
        self._artefact_dir = artefact_dir or home / ARTEFACT_DIR
        self._shipped = shipped

    @property
    def current_file(self) -> Path:
        """What changes when another model is to answer."""
        return self._models / CURRENT_FILE

    def current(self) -> Current:
        """Which model answers now."""
        state = self._state()
        return self._at(state.get("folder"), can_roll_back="previous" in state)

    def install(self, file: Path, *, is_other_labels_allowed: bool = False) -> Current:
        """Checks an update, lets it answer its golden samples, and switches to it.

        Raises:
            RuntimeFault: it does not fit; the model before goes on answering.
        """
        before = self.current()
        try:
            name = file_sha256(file)
            partial = self._models / f"{name}.{os.getpid()}.partial"
            self._models.mkdir(exist_ok=True)
            for left in self._models.glob("*.partial"):
                shutil.rmtree(left, ignore_errors=True)
            try:
                _unpack(file, partial)
                _fits(before.artefact_dir, partial / ARTEFACT_DIR, is_other_labels_allowed=is_other_labels_allowed)
                _selftest(partial / ARTEFACT_DIR)
                if not (self._models / name).exists():
                    partial.replace(self._models / name)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
            if self._state().get("folder") != name:
                self._switch(name, self._state().get("folder"))
        except OSError as error:
            raise UpdateNotWritableError(f"{error.strerror or error}: {error.filename or file}") from error
        return self.current()

    def roll_back(self) -> Current:
        """Lets the model before answer again.

        Raises:
            UpdateNoneBeforeError: there is none.
        """
        state = self._state()
        if "previous" not in state:
            raise UpdateNoneBeforeError
        self._switch(state["previous"], None, is_last=True)
        return self.current()

    def _state(self) -> dict[str, Any]:
        try:
            state = json.loads(self.current_file.read_bytes())
        except (OSError, ValueError):
            return {}
        folder = state.get("folder") if isinstance(state, dict) else None
        return state if folder is None or (self._models / str(folder)).is_dir() else {}

    def _switch(self, folder: str | None, previous: str | None, *, is_last: bool = False) -> None:
        state = {"folder": folder} if is_last else {"folder": folder, "previous": previous}
        partial = self.current_file.with_suffix(".partial.json")
        with partial.open("w", encoding="utf-8") as written:
            json.dump(state, written)
            written.flush()
            os.fsync(written.fileno())
        partial.replace(self.current_file)
        for place in self._models.iterdir():
            if place.is_dir() and place.name not in {folder, previous}:
                shutil.rmtree(place, ignore_errors=True)

    def _at(self, folder: str | None, *, can_roll_back: bool) -> Current:
        if folder is None:
            return Current(self._shipped, self._artefact_dir, can_roll_back)
        place = self._models / folder
        return Current(_model_name(place), place / ARTEFACT_DIR, can_roll_back)


def _model_name(folder: Path) -> str:
    """By which answers name an update's model; looks whether this product understands the update."""
    try:
        read = json.loads((folder / UPDATE_FILE).read_bytes())
        form, model = int(read["format"]), str(read["model"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UpdateInvalidError(f"{UPDATE_FILE} cannot be read: {error!r}") from error
    if form > FORMAT:
        raise UpdateTooNewError(f"the update has format {form}, this product understands {FORMAT}")
    return model


def _unpack(file: Path, place: Path) -> None:
    """Writes the update's files and waits until the disk has them."""
    try:
        with zipfile.ZipFile(file) as packed:
            if sum(each.file_size for each in packed.infolist()) > MAX_UNPACKED_BYTES:
                raise UpdateInvalidError(f"unpacked it is larger than {MAX_UNPACKED_BYTES >> 30} GiB")
            for each in packed.infolist():
                path = PurePosixPath(each.filename)
                if path.is_absolute() or ".." in path.parts or "\\" in each.filename or ":" in each.filename:
                    raise UpdateInvalidError(f"a file in it has the name {each.filename!r}")
                if each.is_dir():
                    continue
                target = place.joinpath(*path.parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                with packed.open(each) as source, target.open("wb") as written:
                    shutil.copyfileobj(source, written)
                    written.flush()
                    os.fsync(written.fileno())
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise UpdateInvalidError(f"it cannot be unpacked: {error}") from error
    _model_name(place)


def _fits(before: Path, after: Path, *, is_other_labels_allowed: bool) -> None:
    old, new = _manifest(before), _manifest(after)
    try:
        hashes = json.loads((after / HASHES_FILE).read_bytes())
        hashes_check(after, hashes)
    except (OSError, ValueError) as error:
        raise UpdateInvalidError(f"{HASHES_FILE} cannot be read: {error}") from error
    if _version(new) > _version(old):
        raise UpdateTooNewError(f"the model has format {_version(new)}, this product understands {_version(old)}")
    if _kind(old) != _kind(new):
        raise UpdateOtherTaskError(f"installed is a model for {_described(old)}, the update is for {_described(new)}")
    gone, come = set(_labels(old)) - set(_labels(new)), set(_labels(new)) - set(_labels(old))
    if (gone or come) and not is_other_labels_allowed:
        raise UpdateOtherLabelsError(f"gone: {', '.join(sorted(gone)) or 'none'}; new: {', '.join(sorted(come)) or 'none'}")


def _manifest(artefact_dir: Path) -> dict[str, Any]:
    try:
        read = json.loads((artefact_dir / MANIFEST_FILE).read_bytes())
        _kind(read), _labels(read), _version(read)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UpdateInvalidError(f"{MANIFEST_FILE} cannot be read: {error!r}") from error
    manifest: dict[str, Any] = read
    return manifest


def _version(manifest: Mapping[str, Any]) -> int:
    return int(manifest.get("schema_version", 1))


def _kind(manifest: Mapping[str, Any]) -> tuple[object, ...]:
    """What a program that calls the model depends on: task, kind of items, of rows also their columns, kind of answers."""
    decode = manifest["decode"]
    names = [column["name"] for column in decode.get("columns", ())]
    return manifest["task"], decode["kind"], names, manifest["output"]


def _described(manifest: Mapping[str, Any]) -> str:
    return f"{manifest['task']} ({manifest['decode']['kind']}, {manifest['output']})"


def _labels(manifest: Mapping[str, Any]) -> list[str]:
    return [str(label["name"]) for label in manifest["label_set"]["labels"]]


def _selftest(artefact_dir: Path) -> None:
    """Replays the golden samples in a process of its own: a model that ends it ends nothing else."""
    runtime = Path(__file__).resolve().parent
    package = __package__ or runtime.name
    root = runtime.parents[package.count(".")]
    command = [sys.executable, "-m", f"{package}.selftest", str(artefact_dir)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SELFTEST_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise UpdateSelftestError(f"it did not end within {SELFTEST_TIMEOUT_S} s") from error
    if done.returncode != 0:
        raise UpdateSelftestError((done.stdout.strip() or done.stderr.strip())[-500:] or f"it ended with {done.returncode}")
