"""Printed pages for rows about reading: the pretrained networks become a model, and the job ``compress`` makes it smaller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from automl.contracts.compression import CompressionReport
from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.job import CompressOrder, TrainConfig
from benchmarks._compressing import jobs_run
from benchmarks._pages import Page
from engine.compress import measure, methods
from engine.data.generated import GeneratedItem, Subject, write_version
from engine.tasks.ocr.example import LABEL, png, polygon
from engine.tasks.ocr.scenes import SceneLine
from engine.tasks.ocr.spec import TASK

SMALLER = "static_8bit"
_PRETRAINED = TrainConfig(family="pp_ocr", size="small", params={"epochs": 0, "detector_epochs": 0})


def artefacts_made(pages: Mapping[Split, Sequence[Page]], folder: Path) -> tuple[Path, Path, CompressionReport]:
    """Artefacts of the pretrained networks, as they are and in 8 bits, with what the smaller one lost.

    Args:
        pages: by split; ranges of values come from those of training, what is lost from those of the test.
        folder: gets the jobs' folders.
    """
    methods.method_names = lambda: (SMALLER,)
    measure._LEAST_ROUNDS = measure._ROUNDS = 3  # what is claimed is measured on other pages
    items = [_item(f"{split}-{number}.png", page, split) for split, own in pages.items() for number, page in enumerate(own)]
    write_version(folder / "trained" / "data", items, Subject(TASK, (LABEL,)))
    order = CompressOrder(parent="art_pages")
    report = jobs_run(folder, TASK.name, _PRETRAINED, order, cache_dir=folder / "cache")
    return folder / "trained" / "artefact", folder / "compressed" / "artefact" / SMALLER, report


def _item(name: str, page: Page, split: Split) -> GeneratedItem:
    content = png(page.picture)
    media = MediaFacts(width=page.picture.width, height=page.picture.height, format="png", size_bytes=len(content))
    lines = [SceneLine(_corners(*box), text) for text, box in zip(page.lines, page.boxes, strict=True)]
    return GeneratedItem(name, content, media, split, tuple(map(polygon, lines)))


def _corners(left: float, upper: float, right: float, lower: float) -> tuple[tuple[float, float], ...]:
    return (left, upper), (right, upper), (right, lower), (left, lower)
