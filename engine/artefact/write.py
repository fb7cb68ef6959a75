"""Writes an artefact. It is built beside its place and gets its name when the exported graph has answered like the model."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from safetensors.torch import save_file
from torch import nn

from automl.contracts.artefact import (
    ANSWERS_FILE,
    EXPECTED_FILE,
    HASHES_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    SAMPLES_DIR,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    ArtefactManifest,
    GoldenSamples,
)
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import REPORT_FILE, Report
from automl.contracts.task import OutputKind
from engine.artefact import parity
from engine.artefact.golden import golden_sample
from engine.artefact.graph import export_graph
from engine.artefact.metadata import metadata_write
from engine.data.image import read_picture, resize_picture
from engine.data.text import TextTokenizer, read_text
from engine.data.version import DatasetVersion

NUM_SAMPLES = 8
TOLERANCE = 1e-3
"""Of a score, for every runtime that replays the samples: room for reduced precision on devices."""
OWN_TOLERANCE = 5e-5
"""Of a score, here: fp32 in onnxruntime and in torch differ by 1e-6, so that a wrong weight does not hide behind rounding."""
_EXAMPLE_SHAPE = (2, 300, 400, 3)
"""Batch, height, width, colours: all different, none special."""
_EXAMPLE_TOKENS = (2, 11)
"""Batch, length."""


@dataclass(frozen=True)
class GoldenInputs:
    """What the samples are made of."""

    version: DatasetVersion
    records: Sequence[ItemRecord]
    """Candidates, best first."""
    labels: tuple[str, ...]
    resolution_px: int
    output: OutputKind
    output_name: str
    """Of the graph's one output."""
    tokenizer: TextTokenizer | None = None
    """Where the items are texts; ``resolution_px`` then means nothing."""


class ArtefactWriter:
    """Builds one artefact, step by step, in ``<place>.partial``.

    Args:
        place: of the artefact.
        cache_dir: of the host, which keeps the graphs of structures; see ``export_graph``.
    """

    def __init__(self, place: Path, *, cache_dir: Path | None = None):
        self._place = place
        self._cache_dir = cache_dir
        self.folder = place.with_name(place.name + ".partial")
        """Where the parts lie until ``finish``."""
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / SAMPLES_DIR).mkdir(parents=True)

    @property
    def model_path(self) -> Path:
        """The graph."""
        return self.folder / MODEL_FILE

    def write_model(self, network: nn.Module, portable: nn.Module, golden: GoldenInputs) -> None:
        """Writes weights, graph and samples.

        Args:
            network: what was trained, on the CPU.
            portable: the network with its pre- and post-processing.
            golden: where the samples come from.
        """
        weights = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
        save_file(weights, self.folder / WEIGHTS_FILE)
        (self.folder / WEIGHTS_FILE).chmod(0o644)  # safetensors makes it readable for this user alone
        if golden.tokenizer is None:
            example, name, axes = torch.zeros(_EXAMPLE_SHAPE, dtype=torch.uint8), "picture", {1: "height", 2: "width"}
        else:
            (self.folder / TOKENIZER_FILE).write_text(golden.tokenizer.definition, encoding="utf-8")
            example, name, axes = torch.ones(_EXAMPLE_TOKENS, dtype=torch.int64), "tokens", {1: "length"}
        export_graph(
            portable,
            example,
            self.model_path,
            input_name=name,
            output_name=golden.output_name,
            free_axes={0: "batch", **axes},
            cache_dir=self._cache_dir,
        )
        self._write_samples(portable, golden)

    def check_parity(self, output: OutputKind) -> float:
        """Compares the graph with the model on the samples, and returns the largest difference.

        Raises:
            ParityError: they differ.
        """
        return parity.check(self.folder, output, tolerance=OWN_TOLERANCE)

    def write_answers(self, answers: Mapping[Split, NDArray[np.float32]]) -> None:
        """Keeps what was said of the splits that were held back, so that the answers of several models can be joined."""
        tensors = {split.value: torch.from_numpy(np.ascontiguousarray(found)) for split, found in answers.items()}
        save_file(tensors, self.folder / ANSWERS_FILE)
        (self.folder / ANSWERS_FILE).chmod(0o644)

    def finish(self, manifest: ArtefactManifest, report: Report) -> None:
        """Writes the manifest and the report, tells the graph what it is, and gives the artefact its name."""
        metadata_write(self.model_path, manifest)
        report = report.model_copy(update={"model_bytes": self.model_path.stat().st_size})
        report.write(self.folder / REPORT_FILE)
        manifest.write(self.folder / MANIFEST_FILE)
        (self.folder / HASHES_FILE).write_text(json.dumps(_hashes(self.folder), indent=1), encoding="utf-8")
        shutil.rmtree(self._place, ignore_errors=True)
        self.folder.replace(self._place)

    def _write_samples(self, portable: nn.Module, golden: GoldenInputs) -> None:
        samples = []
        for number, record in enumerate(golden.records[:NUM_SAMPLES]):
            name, item = self._write_input(number, golden.version.blob_path(record.blob), golden)
            with torch.no_grad():
                answer = portable(torch.from_numpy(item)[None])[0].numpy()
            samples.append(golden_sample(name, answer, golden.output))
        golden_samples = GoldenSamples(labels=golden.labels, samples=tuple(samples))
        golden_samples.write(self.folder / SAMPLES_DIR / EXPECTED_FILE)

    def _write_input(self, number: int, blob: Path, golden: GoldenInputs) -> tuple[str, np.ndarray]:
        """Stores one input and gives it as the graph takes it, without the batch.

        Pictures become PNG: every decoder gives the same pixels, and no runtime may shrink them.
        """
        if golden.tokenizer is not None:
            text, name = read_text(blob, sha256=blob.name), f"{number}.txt"
            (self.folder / SAMPLES_DIR / name).write_text(text, encoding="utf-8", newline="")
            return name, np.array(golden.tokenizer.ids(text), dtype=np.int64)
        picture_HWC, name = _limited(read_picture(blob, sha256=blob.name), golden.resolution_px), f"{number}.png"
        Image.fromarray(picture_HWC).save(self.folder / SAMPLES_DIR / name)
        return name, picture_HWC


def _limited(picture_HWC: np.ndarray, resolution_px: int) -> np.ndarray:
    """Shrinks a large picture so that its longer side stays below twice the resolution, where no runtime shrinks."""
    height, width = picture_HWC.shape[:2]
    factor = (2 * resolution_px - 1) / max(height, width)
    if factor >= 1.0:
        return picture_HWC
    return resize_picture(picture_HWC, height_px=max(1, int(height * factor)), width_px=max(1, int(width * factor)))


def _hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
