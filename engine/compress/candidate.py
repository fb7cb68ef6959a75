"""Makes an artefact of smaller graphs: golden samples with its own answers, their tolerance, its report."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
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
from engine.artefact.session import GraphSession, graphs_bytes
from engine.artefact.write import TOLERANCE, hashes_write
from engine.compress.smaller_graph import NoCandidateError, SmallerGraph
from engine.compress.source import Source

MOST_TOLERANCE = 0.2
"""Of a score: samples that let more pass would let a broken model pass."""
_STEADY_SHARE = 0.5
"""Of the samples: which of two unlikely symbols of a line is read is a matter of rounding, and no sample shows it."""
_MARGIN = 2.0
"""Times the largest difference that was seen: other processors round in yet other ways."""


def graphs_write(source: Source, made: Mapping[str, SmallerGraph], folder: Path) -> ArtefactManifest:
    """Writes the graphs and their golden samples: the inputs of the original with the smaller graphs' own answers.

    Args:
        source: the original.
        made: the smaller graphs by the names of their files; others stay as they are.
        folder: of the new artefact, not there yet.

    Returns:
        The original's manifest, with the tolerance of these samples: how far a runtime's answers may be from them.

    Raises:
        NoCandidateError: the files are no smaller, the runtime refuses a graph, or its runs differ too much.
    """
    (folder / SAMPLES_DIR).mkdir(parents=True)
    for name in sorted({MODEL_FILE, *source.reader.files, *source.manifest.files}):
        shutil.copyfile(source.folder / name, folder / name)
    for name, graph in made.items():
        (folder / name).write_bytes(graph.model.SerializeToString(deterministic=True))
    if graphs_bytes(folder) >= graphs_bytes(source.folder):
        raise NoCandidateError("as_large")
    if (source.folder / REFERENCE_FILE).exists():  # it was judged on the same items
        shutil.copyfile(source.folder / REFERENCE_FILE, folder / REFERENCE_FILE)
    graphs = {name: folder / name for name in made}
    sessions = source.opened(graphs), source.opened(graphs, is_optimised=False)
    own = {
        "train": next((each.train for each in made.values() if each.train is not None), source.manifest.train),
        "licences": _licences(source, made),
        "tolerance": _samples_write(source, folder, *sessions),
    }
    manifest = source.manifest.model_copy(update=own)
    metadata_write(folder / MODEL_FILE, manifest)
    return manifest


def _licences(source: Source, made: Mapping[str, SmallerGraph]) -> tuple[Licence, ...]:
    """Of the original, whose answers it learned, and of what it has besides."""
    return tuple(dict.fromkeys((*source.manifest.licences, *(each for graph in made.values() for each in graph.licences))))


def _samples_write(source: Source, folder: Path, usual: GraphSession, plain: GraphSession) -> float:
    """Writes the samples whose answers are steady and returns their tolerance."""
    samples, farthest = [], 0.0
    given = GoldenSamples.read(source.folder / SAMPLES_DIR / EXPECTED_FILE).samples
    for sample in given:
        content = (source.folder / SAMPLES_DIR / sample.file).read_bytes()
        read = source.decoded(content)
        expected = source.golden(usual.answers(read.feeds)[0])
        apart = source.difference(expected, plain.answers(read.feeds)[0], read)
        if not _MARGIN * apart <= MOST_TOLERANCE:
            continue
        farthest = max(farthest, apart)
        (folder / SAMPLES_DIR / sample.file).write_bytes(content)
        fields = {name: expected[name] for name in GoldenSample.model_fields if name in expected}
        samples.append(GoldenSample.model_validate({**fields, "file": sample.file}))
    if len(samples) < _STEADY_SHARE * len(given):
        raise NoCandidateError("unsteady")
    GoldenSamples(labels=source.manifest.label_set.names, samples=tuple(samples)).write(folder / SAMPLES_DIR / EXPECTED_FILE)
    return max(TOLERANCE, _MARGIN * farthest)


def finish(folder: Path, manifest: ArtefactManifest, report: Report, certificate: Certificate) -> None:
    """Writes manifest, report and certificate, and the hashes of all files."""
    report.write(folder / REPORT_FILE)
    manifest.write(folder / MANIFEST_FILE)
    certificate.write(folder / CERTIFICATE_FILE)
    hashes_write(folder)
