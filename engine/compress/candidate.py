"""Makes an artefact of a smaller graph: golden samples with its own answers, their tolerance, its report."""

from __future__ import annotations

import shutil
from pathlib import Path

from automl.contracts.artefact import (
    EXPECTED_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    SAMPLES_DIR,
    ArtefactManifest,
    GoldenSample,
    GoldenSamples,
    Licence,
)
from automl.contracts.compression import CERTIFICATE_FILE, Certificate
from automl.contracts.reference import REFERENCE_FILE
from automl.contracts.report import REPORT_FILE, Report
from engine.artefact.metadata import metadata_write
from engine.artefact.session import GraphSession
from engine.artefact.write import TOLERANCE, hashes_write
from engine.compress.smaller_graph import NoCandidateError, SmallerGraph
from engine.compress.source import Source

MOST_TOLERANCE = 0.2
"""Of a score: samples that let more pass would let a broken model pass."""
_MARGIN = 2.0
"""Times the largest difference that was seen: other processors round in yet other ways."""


def graph_write(source: Source, made: SmallerGraph, folder: Path) -> ArtefactManifest:
    """Writes the graph and its golden samples: the inputs of the original with the smaller graph's own answers.

    Args:
        source: the original.
        made: the smaller graph.
        folder: of the new artefact, not there yet.

    Returns:
        The original's manifest, with the tolerance of these samples: how far a runtime's answers may be from them.

    Raises:
        NoCandidateError: the file is no smaller, the runtime refuses the graph, or its runs differ too much.
    """
    (folder / SAMPLES_DIR).mkdir(parents=True)
    path = folder / MODEL_FILE
    path.write_bytes(made.model.SerializeToString(deterministic=True))
    if path.stat().st_size >= (source.folder / MODEL_FILE).stat().st_size:
        raise NoCandidateError("as_large")
    for name in sorted({*source.reader.files, *source.manifest.files}):
        shutil.copyfile(source.folder / name, folder / name)
    if (source.folder / REFERENCE_FILE).exists():  # it was judged on the same items
        shutil.copyfile(source.folder / REFERENCE_FILE, folder / REFERENCE_FILE)
    sessions = source.opened(path), source.opened(path, is_optimised=False)
    own = {"train": made.train or source.manifest.train, "licences": _licences(source, made)}
    manifest = source.manifest.model_copy(update={**own, "tolerance": _samples_write(source, folder, *sessions)})
    metadata_write(path, manifest)
    return manifest


def _licences(source: Source, made: SmallerGraph) -> tuple[Licence, ...]:
    """Of the original, whose answers it learned, and of what it has besides."""
    return tuple(dict.fromkeys((*source.manifest.licences, *made.licences)))


def _samples_write(source: Source, folder: Path, usual: GraphSession, plain: GraphSession) -> float:
    """Writes the samples and returns their tolerance."""
    samples, farthest = [], 0.0
    for sample in GoldenSamples.read(source.folder / SAMPLES_DIR / EXPECTED_FILE).samples:
        content = (source.folder / SAMPLES_DIR / sample.file).read_bytes()
        (folder / SAMPLES_DIR / sample.file).write_bytes(content)
        read = source.decoded(content)
        expected = source.golden(usual.answers(read.feeds)[0])
        farthest = max(farthest, source.difference(expected, plain.answers(read.feeds)[0], read))
        fields = {name: expected[name] for name in GoldenSample.model_fields if name in expected}
        samples.append(GoldenSample.model_validate({**fields, "file": sample.file}))
    tolerance = max(TOLERANCE, _MARGIN * farthest)
    if not tolerance <= MOST_TOLERANCE:
        raise NoCandidateError("unsteady")
    GoldenSamples(labels=source.manifest.label_set.names, samples=tuple(samples)).write(folder / SAMPLES_DIR / EXPECTED_FILE)
    return tolerance


def finish(folder: Path, manifest: ArtefactManifest, report: Report, certificate: Certificate) -> None:
    """Writes manifest, report and certificate, and the hashes of all files."""
    report.write(folder / REPORT_FILE)
    manifest.write(folder / MANIFEST_FILE)
    certificate.write(folder / CERTIFICATE_FILE)
    hashes_write(folder)
