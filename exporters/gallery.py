"""A gallery inside a product: a model that answers with vectors becomes one that answers with names.

The gallery's vectors are weights of the graph, and a name is a label whose score is the similarity of the most similar picture
of that name. So every product and every format can recognise things offline by what it does for labels anyway. Shapes: B items
of a batch, N vectors of the gallery, D numbers of a vector, K names, P pictures of each of them.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import (
    EXPECTED_FILE,
    HASHES_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    SAMPLES_DIR,
    ArtefactManifest,
    GalleryState,
    GoldenSamples,
    TensorSpec,
)
from automl.contracts.dataset import Label, LabelSet
from exporters.answers import answer_kind
from exporters.bundle import manifest_read
from exporters.errors import GalleryNotJoinedError
from runtime.hashes import hashes_write

if TYPE_CHECKING:
    import onnx

OUTPUT = "similarities"
MOST_WEIGHTS_BYTES = 512 * 2**20
"""Of a gallery inside a graph, whose file may have two gigabytes at most."""
_PREFIX = "gallery_"


@dataclass(frozen=True)
class NamedVectors:
    """What a gallery knows."""

    names: tuple[str, ...]
    """Of each vector; several may have the same."""
    vectors: NDArray[np.float32]
    """``_ND``, each of length one."""
    limit: float
    """The least similarity of two pictures of the same thing, -1..1."""
    state: GalleryState | None = None
    """Which gallery of a platform this is, and as of when, for products to tell; None tells nothing."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Every name once, in the order in which the graph scores them."""
        return tuple(name for names, _ in self.groups() for name in names)

    def groups(self) -> Iterator[tuple[tuple[str, ...], NDArray[np.float32]]]:
        """Names with about as many pictures, and their vectors ``_DKP``; who has fewer has some twice: no maximum changes."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(self.names):
            places[name].append(place)
        by_size: dict[int, list[str]] = defaultdict(list)
        for name in sorted(places):
            by_size[1 << (len(places[name]) - 1).bit_length()].append(name)
        for size, names in sorted(by_size.items()):
            chosen = np.array([np.resize(places[name], size) for name in names])
            yield tuple(names), np.ascontiguousarray(self.vectors[chosen].transpose(2, 0, 1))

    def scores(self, vector: NDArray[np.float32]) -> list[float]:
        """The similarity of a vector to the most similar picture of each label, 0..1."""
        best: dict[str, float] = {}
        for name, similarity in zip(self.names, (self.vectors @ vector).tolist(), strict=True):
            best[name] = max(similarity, best.get(name, 0.0))
        return [min(1.0, best[label]) for label in self.labels]


def gallery_manifest(manifest: ArtefactManifest, gallery: NamedVectors) -> ArtefactManifest:
    """The manifest of the model that answers with the gallery's names.

    Raises:
        GalleryNotJoinedError: the model does not answer with such vectors, or the gallery is empty or too large.
    """
    (output, *_) = manifest.outputs
    named_output = answer_kind(manifest).with_gallery
    if named_output is None:
        raise GalleryNotJoinedError("Only a model that answers with vectors can answer with the names of a gallery.")
    if not gallery.names:
        raise GalleryNotJoinedError("The gallery is empty.")
    if output.axes[-1] != gallery.vectors.shape[1]:
        raise GalleryNotJoinedError("The gallery's vectors are those of another model.")
    if 2 * gallery.vectors.nbytes > MOST_WEIGHTS_BYTES:
        raise GalleryNotJoinedError(f"A gallery of {len(gallery.names):,} pictures is too large for a product.")
    labels = gallery.labels
    scores = TensorSpec(name=OUTPUT, dtype="float32", axes=(output.axes[0], len(labels)), unit="similarity 0..1")
    return manifest.model_copy(
        update={
            "output": named_output,
            "outputs": (scores,),
            "label_set": LabelSet(labels=tuple(Label(name=name) for name in labels)),
            "thresholds": dict.fromkeys(labels, max(0.0, round(gallery.limit, 6))),
            "coverage": None,
            "gallery": gallery.state,
            # The product of two vectors of length one differs by what all numbers of one of them do together.
            "tolerance": manifest.tolerance * gallery.vectors.shape[1] ** 0.5,
        }
    )


def gallery_join(artefact_dir: Path, gallery: NamedVectors, place: Path) -> Path:
    """Writes an artefact that answers with the gallery's names; its golden samples are what the trained model's vectors give.

    Args:
        artefact_dir: of a model that answers with vectors.
        gallery: names and vectors of that model.
        place: a folder for it, not there yet; files that do not change are links to the artefact's.

    Returns:
        The place.

    Raises:
        GalleryNotJoinedError: see ``gallery_manifest``.
    """
    import onnx  # noqa: PLC0415 - who asks for a manifest only does not wait for it

    _described(artefact_dir, gallery, place)
    model = onnx.load(artefact_dir / MODEL_FILE)
    _graph_join(model, gallery)
    onnx.save(model, place / MODEL_FILE)
    files = (path for path in place.rglob("*") if path.is_file() and path.name != HASHES_FILE)
    hashes_write(place, (path.relative_to(place).as_posix() for path in files))
    return place


def gallery_sized(artefact_dir: Path, gallery: NamedVectors, place: Path) -> Path:
    """Writes what is as large as ``gallery_join`` makes it, for estimates: vectors lie behind the graph, which nobody reads.

    Args:
        artefact_dir: of a model that answers with vectors.
        gallery: names and vectors of that model.
        place: a folder for it, not there yet.

    Returns:
        The place.

    Raises:
        GalleryNotJoinedError: see ``gallery_manifest``.
    """
    _described(artefact_dir, gallery, place)
    shutil.copyfile(artefact_dir / MODEL_FILE, place / MODEL_FILE)
    with (place / MODEL_FILE).open("ab") as file:
        for _, vectors in gallery.groups():
            file.write(vectors.tobytes())
    return place


def _described(artefact_dir: Path, gallery: NamedVectors, place: Path) -> None:
    """Writes all of the artefact that answers with names but its graph, and the hashes."""
    manifest = manifest_read(artefact_dir)
    joined = gallery_manifest(manifest, gallery)
    shutil.copytree(artefact_dir, place, copy_function=os.symlink)
    samples = f"{SAMPLES_DIR}/{EXPECTED_FILE}"
    for name in (MANIFEST_FILE, MODEL_FILE, samples, HASHES_FILE):
        (place / name).unlink(missing_ok=True)
    joined.write(place / MANIFEST_FILE)
    golden = GoldenSamples.read(artefact_dir / samples)
    replayed = [
        sample.model_copy(update={"vector": (), "scores": tuple(gallery.scores(np.array(sample.vector, np.float32)))})
        for sample in golden.samples
    ]
    GoldenSamples(labels=gallery.labels, samples=tuple(replayed)).write(place / samples)


def _graph_join(model: onnx.ModelProto, gallery: NamedVectors) -> None:
    """Compares the graph's vector with all vectors, and gives the best of each name instead."""
    from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415 - as above

    graph = model.graph
    (vector,) = graph.output
    parts: list[str] = []
    constants: dict[str, NDArray[np.generic]] = {"low": np.array(0, np.float32), "high": np.array(1, np.float32)}
    for number, (_, vectors) in enumerate(gallery.groups()):
        length, num_names, num_pictures = vectors.shape
        part = f"{_PREFIX}{number}"
        constants[f"{number}_vectors"] = vectors.reshape(length, -1)
        graph.node.append(helper.make_node("MatMul", [vector.name, f"{part}_vectors"], [f"{part}_all"]))
        parts.append(f"{part}_all")
        if num_pictures > 1:
            constants[f"{number}_table"] = np.array([-1, 1, num_names, num_pictures], np.int64)
            constants[f"{number}_row"] = np.array([-1, num_names], np.int64)
            of_name = [1, num_pictures]
            graph.node.extend(
                [
                    helper.make_node("Reshape", [f"{part}_all", f"{part}_table"], [f"{part}_by_name"]),
                    # A maximum that every format has; some have no ReduceMax.
                    helper.make_node("MaxPool", [f"{part}_by_name"], [f"{part}_best"], kernel_shape=of_name, strides=of_name),
                    helper.make_node("Reshape", [f"{part}_best", f"{part}_row"], [part]),
                ]
            )
            parts[-1] = part
    graph.node.append(helper.make_node("Concat", parts, [f"{_PREFIX}scores"], axis=1))
    graph.node.append(helper.make_node("Clip", [f"{_PREFIX}scores", f"{_PREFIX}low", f"{_PREFIX}high"], [OUTPUT]))
    graph.initializer.extend(numpy_helper.from_array(value, _PREFIX + name) for name, value in constants.items())
    batch = vector.type.tensor_type.shape.dim[0]
    axes = [batch.dim_param or batch.dim_value, len(gallery.labels)]
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, axes))
