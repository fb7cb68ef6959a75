"""What the build of every npm package does around its contents: archive, unpack, replay the golden samples, hand out."""

from __future__ import annotations

import tarfile
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport
from exporters._javascript.package import ROOT, archive_name
from exporters._javascript.replay import package_replay
from exporters.bundle import product_publish, tar_write


def package_build(
    fill: Callable[[Path, str, str], None], out_dir: Path, options: Mapping[str, ParamValue], *, target: str
) -> BuildReport:
    """Writes ``<name>-<version>.tgz`` and replays the golden samples from what is in it.

    Args:
        fill: writes the package's files into a folder; also gets the package's name and version.
        out_dir: where the archive goes.
        options: with ``name`` and ``version``.
        target: name of the export target.

    Raises:
        ExportError: the product does not answer as the trained model did, or what ``fill`` raises.
    """
    started_at = time.perf_counter()
    name, version = str(options["name"]), str(options["version"])
    with tempfile.TemporaryDirectory() as scratch:
        folder, product = Path(scratch) / ROOT, Path(scratch) / archive_name(name, version)
        fill(folder, name, version)
        tar_write(folder, product)
        with tarfile.open(product) as tar:
            tar.extractall(Path(scratch) / "unpacked", filter="data")
        check = package_replay(Path(scratch) / "unpacked" / ROOT, Path(scratch) / "replay")
        return product_publish(product, out_dir, target=target, check=check, started_at=started_at)
