"""Writes an artefact. It is built in a folder beside, and renamed once the exported graph has answered like the model."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import Tensor, nn

from automl.contracts.artefact import (
    ANSWERS_FILE,
    EXPECTED_FILE,
    HASHES_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    PIPELINE_FILE,
    SAMPLES_DIR,
    WEIGHTS_FILE,
    ArtefactManifest,
    GoldenSample,
    GoldenSamples,
)
from automl.contracts.base import Contract
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import REPORT_FILE, Report
from automl.contracts.task import OutputKind
from engine.answers import answer_kind
from engine.artefact import parity
from engine.artefact.graph import export_graph
from engine.artefact.metadata import metadata_write
from engine.artefact.reference import JudgedContents, reference_write
from engine.artefact.session import graphs_bytes
from engine.data.version import DatasetVersion

NUM_SAMPLES = 8
TOLERANCE = 1e-3
"""Of a score, for every runtime that replays the samples: room for reduced precision on devices."""
OWN_TOLERANCE = 5e-5
"""Of a score, here: fp32 in onnxruntime and in torch differ by 1e-6, so that a wrong weight does not hide behind rounding."""


@dataclass(frozen=True)
class Example:
    """An input that a graph is traced with."""

    items_B: Tensor
    """Two items; their dynamic axes have different lengths, none of them 1."""
    name: str
    """Of the graph's one input."""
    axes: Mapping[int, str]
    """Names of the axes that may vary, besides the batch."""


@dataclass(frozen=True)
class Sample:
    """An item as a golden sample."""

    suffix: str
    """Of the file, without the dot."""
    content: bytes
    item: NDArray[Any]
    """What a runtime makes of the file: the graph's input without the batch."""


class GraphItems(Protocol):
    """How the items that a graph takes are read and sampled when an artefact is written."""

    @property
    def files(self) -> Mapping[str, str]:
        """Content of the files beside the graph that reading needs, by name."""

    def example(self) -> Example:
        """An input to trace the graph with."""

    def sample(self, path: Path, sha256: str) -> Sample:
        """A stored item as a golden sample; any runtime makes the same of its file.

        Args:
            path: of the item's bytes.
            sha256: that they must have.

        Raises:
            EngineError: they cannot be read.
        """


@dataclass(frozen=True)
class GoldenInputs:
    """What the samples are made of."""

    version: DatasetVersion
    records: Sequence[ItemRecord]
    """Candidates, best first."""
    labels: tuple[str, ...]
    items: GraphItems
    output: OutputKind
    output_name: str
    """Of the graph's one output."""


@runtime_checkable
class Pipelined(Protocol):
    """A module of which only a part is a graph; the rest is a pipeline of the runtime."""

    pipeline_spec: Mapping[str, Any]
    """Content of ``pipeline.json``."""
    graph: nn.Module
    graph_output: str
    """Name of the graph's output."""


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
        self.write_weights(network)
        for name, content in golden.items.files.items():
            (self.folder / name).write_text(content, encoding="utf-8")
        graph, named = portable, golden
        if isinstance(portable, Pipelined):
            (self.folder / PIPELINE_FILE).write_text(json.dumps(portable.pipeline_spec, indent=1), encoding="utf-8")
            graph, named = portable.graph, replace(golden, output_name=portable.graph_output)
        graph_export(graph, named, self.model_path, cache_dir=self._cache_dir)
        self._write_samples(portable, golden)

    def write_weights(self, network: nn.Module) -> None:
        """Writes the weights of what was trained, on the CPU, so that later training can start from them."""
        weights = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
        save_file(weights, self.folder / WEIGHTS_FILE)
        (self.folder / WEIGHTS_FILE).chmod(0o644)  # safetensors makes it readable for this user alone

    def check_parity(self, decode: Contract, output: OutputKind, *, tolerance: float = OWN_TOLERANCE) -> float:
        """Replays the samples, and returns the largest difference. Arguments and errors as of ``parity.check``."""
        return parity.check(self.folder, decode, output, tolerance=tolerance)

    def write_answers(self, answers: Mapping[Split, NDArray[np.float32]]) -> None:
        """Keeps the answers to the splits that were held back, so that the answers of several models can be joined."""
        tensors = {split.value: torch.from_numpy(np.ascontiguousarray(found)) for split, found in answers.items()}
        save_file(tensors, self.folder / ANSWERS_FILE)
        (self.folder / ANSWERS_FILE).chmod(0o644)

    def finish(self, manifest: ArtefactManifest, report: Report, judged: JudgedContents) -> None:
        """Writes manifest, report and reference, adds metadata to the graph, and renames the folder to its final name.

        Args:
            manifest: of the artefact.
            report: how well it does.
            judged: items of its version that callers' will be compared with.
        """
        reference_write(self.folder, manifest, judged, self._cache_dir)
        metadata_write(self.model_path, manifest)
        report = report.model_copy(update={"model_bytes": graphs_bytes(self.folder)})
        report.write(self.folder / REPORT_FILE)
        manifest.write(self.folder / MANIFEST_FILE)
        hashes_write(self.folder)
        shutil.rmtree(self._place, ignore_errors=True)
        self.folder.replace(self._place)

    def _write_samples(self, portable: nn.Module, golden: GoldenInputs) -> None:
        answers = []
        for number, record in enumerate(golden.records[:NUM_SAMPLES]):
            sample = golden.items.sample(golden.version.blob_path(record.blob), record.blob)
            with torch.no_grad():
                answer = portable(torch.from_numpy(sample.item)[None])[0].numpy()
            answers.append((f"{number}.{sample.suffix}", sample.content, answer))
        samples_write(self.folder, answers, labels=golden.labels, output=golden.output)


def graph_export(portable: nn.Module, golden: GoldenInputs, path: Path, *, cache_dir: Path | None) -> None:
    """Writes the graph of a network with its pre- and post-processing, in inference mode. Errors as of ``export_graph``."""
    example = golden.items.example()
    export_graph(
        portable,
        example.items_B,
        path,
        input_name=example.name,
        output_name=golden.output_name,
        dynamic_axes={0: "batch", **example.axes},
        cache_dir=cache_dir,
    )


def samples_write(
    folder: Path, answers: Sequence[tuple[str, bytes, NDArray[Any]]], *, labels: tuple[str, ...], output: OutputKind
) -> None:
    """Writes golden samples with the trained model's answers.

    Args:
        folder: of the artefact.
        answers: name, content and answer of each.
        labels: names in the order of the scores.
        output: what the answers are.
    """
    kind, samples = answer_kind(output), []
    for name, content, answer in answers:
        (folder / SAMPLES_DIR / name).write_bytes(content)
        samples.append(GoldenSample.model_validate({"file": name, **kind.golden(answer)}))
    GoldenSamples(labels=labels, samples=tuple(samples)).write(folder / SAMPLES_DIR / EXPECTED_FILE)


def hashes_write(folder: Path) -> None:
    """Writes the SHA-256 of every other file of an artefact; called last."""
    hashes = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    (folder / HASHES_FILE).write_text(json.dumps(hashes, indent=1), encoding="utf-8")
