"""Real examples for a first model, of any task that has some: ``python -m engine.tasks.shared.quickstart TASK``.

It brings the backbone that a first model starts from too, with its tokenizer if it reads texts, and prints its progress in JSON
lines ``{"fraction", "message"}``; the last one adds ``labels``, where an upload of the zip takes its labels from. A task with
examples has a module ``quickstart`` with ``LABELS_FROM`` and ``write_zip(target, assets_dir, on_progress)``, with ``BACKBONE``
where the usual one does not fit (None: there is none), and says ``has_examples`` in its specification. Where its labels are
words, ``LABEL_NAMES`` has them in every language by the English one, and ``write_zip`` takes the ``names`` to write. Where the
examples are a table, ``TARGETS`` has the column that is predicted, by the value of the task's option.

Quick starts for one use are modules of the same kind in the task's folder ``quickstarts``. With ``write_beside(folder,
assets_dir)`` they also write what is no data, such as templates, for the part of the platform that knows it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from automl.contracts.base import Text
from engine.assets.card import read_card
from engine.assets.store import weights
from engine.assets.tokenizers import tokenizer
from engine.errors import EngineError

BACKBONE = "efficientnet_lite0"
_WEIGHTS_SHARE = 0.1
"""Of the whole; the pictures' packages are nine times the size of the usual weights'."""

Progress = Callable[[float], None]


def examples_write(
    task: str,
    target: Path,
    assets_dir: Path,
    on_progress: Callable[[float, str], None],
    *,
    language: str = "en",
    quickstart: str | None = None,
    beside: Path | None = None,
) -> str:
    """Writes a task's examples as a zip; returns where an upload of it takes its labels from.

    Args:
        task: one that has examples.
        target: the zip; its folder is there.
        assets_dir: the store.
        on_progress: called with how far it is, 0..1, and with what.
        language: of the labels' names.
        quickstart: one of the task's; None: the usual examples.
        beside: folder for what is no data.

    Raises:
        AssetMissingError: something is not in the store and cannot be had.
    """
    module = import_module(f"engine.tasks.{task}.quickstart" + (f"s.{quickstart}" if quickstart else ""))
    backbone: str | None = getattr(module, "BACKBONE", BACKBONE)
    done = 0.0
    if backbone is not None:
        done = _WEIGHTS_SHARE
        weights(backbone, assets_dir, lambda part: on_progress(_WEIGHTS_SHARE * part, "pretrained backbone"))
        if read_card(backbone).tokenizer is not None:
            tokenizer(backbone, assets_dir)
    titles: Mapping[str, Text] = getattr(module, "LABEL_NAMES", {})
    names = {"names": {label: title.in_language(language) for label, title in titles.items()}} if titles else {}
    module.write_zip(target, assets_dir, lambda part: on_progress(done + (1 - done) * part, "examples"), **names)
    if beside is not None and hasattr(module, "write_beside"):
        module.write_beside(beside, assets_dir)
    return str(module.LABELS_FROM)


def main() -> int:
    """Exit status 1 when the examples cannot be had; why is on standard error."""
    parser = argparse.ArgumentParser(prog="python -m engine.tasks.shared.quickstart", description=__doc__)
    parser.add_argument("task", metavar="TASK")
    parser.add_argument("--assets-dir", type=Path, required=True, metavar="FOLDER", help="the store")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the zip")
    parser.add_argument("--language", default="en", metavar="CODE", help="of the labels' names")
    parser.add_argument("--quickstart", metavar="NAME", help="one of the task's; without it the usual examples")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="for what is no data, such as templates")
    arguments = parser.parse_args()
    chosen = {name: getattr(arguments, name) for name in ("language", "quickstart", "beside")}
    try:
        labels = examples_write(arguments.task, arguments.out, arguments.assets_dir, _report, **chosen)
    except EngineError as error:
        sys.stderr.write(f"{error.message} {error.hint}\n")
        return 1
    _report(1.0, "ready", labels=labels)
    return 0


def _report(fraction: float, message: str, **more: str) -> None:
    sys.stdout.write(json.dumps({"fraction": fraction, "message": message, **more}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
