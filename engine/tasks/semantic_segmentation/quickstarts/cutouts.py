"""Things cut out to the pixel, laid on photographs, for separating a subject from its background. Same material, same zip."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from automl.contracts.dataset import Split
from automl.contracts.words import Words
from engine.assets.fetch import Progress
from engine.tasks.semantic_segmentation import subject_scenes
from engine.tasks.shared.scenes import material

words = Words(__file__)

LABELS_FROM = "auto"
LABEL = "subject"
LABEL_NAMES = {LABEL: words(f"label.{LABEL}")}
NUM_PICTURES = 80
LAYOUT = subject_scenes.Layout(
    label=LABEL, size=(0.45, 0.9), max_angle_deg=20.0, second_rate=0.2, middle=(0.25, 0.75), blur_px=(2.0, 7.0)
)
_SEED = 32


def write_zip(
    target: Path,
    assets_dir: Path,
    on_progress: Progress | None = None,
    *,
    names: Mapping[str, str] = MappingProxyType({}),
    num_pictures: int = NUM_PICTURES,
) -> None:
    """Writes the zip, whole or not at all; other stamps and photographs test than train.

    Raises:
        AssetMissingError: the stamps or the photographs are not in the store and cannot be had.
    """
    sources = {split: material(assets_dir, is_held_out=split is Split.TEST) for split in (Split.TRAIN, Split.TEST)}
    subject_scenes.write_zip(
        target,
        sources,
        LAYOUT,
        name=names.get(LABEL, LABEL),
        num_pictures=num_pictures,
        seed=_SEED,
        on_progress=on_progress,
    )
