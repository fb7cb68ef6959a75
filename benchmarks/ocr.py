"""Processor time of a printed page, and how much of it is read right, beside RapidOCR with the same weights.

Pages of 900 x 1200 pixels with 30 lines of English and Chinese, made by code; every page is new to both, as pages of a service
are. Ours is what a server runs: the pretrained networks as a model, with the backend that its own trial of the golden samples
takes; then the same made smaller by the job ``compress``, in 8 bits, with ranges from other pages; then the model in the
backends that the trial left out. All use one thread. Set MODELYARD_OCR_PYTHON to a Python with
``rapidocr`` and ``onnxruntime``; without it the row is skipped. At the smallest size an untrained
network reads, without a peer.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageFont

from automl.contracts.dataset import Split
from benchmarks._digits import ASSETS_DIR
from benchmarks._pages import Font, Page, page
from benchmarks._read_pages import artefacts_made
from benchmarks.harness import Claim, Options, SkippedError, main
from engine.assets.fetch import AssetMissingError
from engine.assets.fonts import font
from engine.assets.store import weights
from engine.models.pp_ocr import network
from engine.tasks.shared.edits import num_edits
from engine.training.reading.graphs import spec_of, torch_pipeline
from runtime.answers.quads import CORNERS, text_of
from runtime.backend_choice import backend_choose
from runtime.backends import NAMES, Backend, backend_kind
from runtime.pipelines import Pipeline, pipeline_open
from runtime.pipelines.text_lines import PICTURE

PEER_PYTHON = "MODELYARD_OCR_PYTHON"
ASSETS = "pp_ocr_v6_small_recogniser", "pp_ocr_v6_small_detector"
FONT = "wqy_microhei"
SIDE_PX = 960
"""The family's default."""
NUM_LINES = 30
TARGET = 0.5
_PEER = Path(__file__).with_name("_ocr_peer.py")


@dataclass
class _Read:
    """What one reader took for each page, and how alike its text is to the page's, 0..1."""

    seconds: list[float] = field(default_factory=list)
    similarities: list[float] = field(default_factory=list)


Reader = Callable[[Path], tuple[float, Sequence[str]]]
"""Reads the picture of a path: seconds of processor time, and lines."""


def measure(options: Options) -> list[Claim]:
    """Time and similarity of each backend against the peer; each page on standard error.

    Raises:
        SkippedError: the peer or the weights are missing.
    """
    num_pages = options.pick(16, smoke=1, quick=5)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if options.is_smoke:
            generator = np.random.default_rng(5)
            pages = [page(generator, _plain_font, num_lines=NUM_LINES, has_chinese=False) for _ in range(num_pages)]
            pipeline = torch_pipeline(network.build("scratch", 9), spec_of("abcdefghi", 480))
            readers = {"ours": _ours(pipeline), "peer": _ours(pipeline)}
            return _claims(_taken(readers, pages, folder), num_pages, ["ours"])
        if not os.environ.get(PEER_PYTHON):
            raise SkippedError(f"set {PEER_PYTHON} to a Python with rapidocr")
        fonts = _fonts()
        models = _models(fonts, folder, options.pick(6, smoke=1, quick=3))
        generator = np.random.default_rng(5)
        pages = [page(generator, fonts, num_lines=NUM_LINES) for _ in range(num_pages + 1)]
        readers = {name: _ours(pipeline_open(*model)) for name, model in models.items()}
        with _peer() as reader:
            found = _taken({**readers, "peer": reader}, pages, folder)
    for each in found.values():  # the first page warms up
        del each.seconds[0], each.similarities[0]
    return _claims(found, num_pages, list(readers))


def _claims(found: dict[str, _Read], num_pages: int, names: Sequence[str]) -> list[Claim]:
    claims = []
    peer = found["peer"]
    for name in names:
        own = found[name]
        ratio = statistics.median(mine / other for mine, other in zip(own.seconds, peer.seconds, strict=True))
        times = statistics.median(own.seconds), statistics.median(peer.seconds)
        what = f"processor seconds of a page, {num_pages} new pages of {NUM_LINES} lines, {name}"
        claims.append(Claim("ocr", what, *times, ratio, TARGET, is_at_most=True))
        alike = statistics.mean(own.similarities), statistics.mean(peer.similarities)
        gained = alike[0] - alike[1]
        claims.append(Claim("ocr", f"similarity of the text above the peer's, the same pages, {name}", *alike, gained, 0.0))
    return claims


def _taken(readers: dict[str, Reader], pages: Sequence[Page], folder: Path) -> dict[str, _Read]:
    """Every page by every reader, which take turns."""
    found = {name: _Read() for name in readers}
    for number, each in enumerate(pages):
        path = folder / f"page_{number}.png"
        each.picture.save(path)
        truth = "\n".join(each.lines)
        for name, reader in readers.items():
            seconds, lines = reader(path)
            found[name].seconds.append(seconds)
            found[name].similarities.append(1 - num_edits(truth, "\n".join(lines)) / len(truth))
        figures = ", ".join(f"{name} {read.seconds[-1]:.2f} s {read.similarities[-1]:.4f}" for name, read in found.items())
        sys.stderr.write(f"page {number}: {figures}\n")
    return found


def _ours(pipeline: Pipeline) -> Reader:
    def read(path: Path) -> tuple[float, Sequence[str]]:
        pixels = np.asarray(Image.open(path).convert("RGB"))
        start = time.process_time()
        (rows,) = pipeline.run({PICTURE: pixels[None]})
        lines = [text_of(row) for row in rows if row[CORNERS] > 0]
        return time.process_time() - start, lines

    return read


@contextmanager
def _peer() -> Iterator[Reader]:
    """RapidOCR in a process of its own, since it is no dependency of ours."""
    command = [os.environ[PEER_PYTHON], str(_PEER)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def read(path: Path) -> tuple[float, Sequence[str]]:
            process.stdin.write(f"{path}\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            return answer["seconds"], answer["lines"]

        yield read
        process.stdin.close()


def _models(fonts: Callable[[int], Font], folder: Path, num_pages: int) -> dict[str, tuple[Path, type[Backend]]]:
    """Artefacts with backends, by what claims call them; of so many pages a split."""
    try:
        for asset in ASSETS:
            weights(asset, ASSETS_DIR)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    generator = np.random.default_rng(101)
    splits = {split: [page(generator, fonts, num_lines=NUM_LINES) for _ in range(num_pages)] for split in Split}
    whole, smaller, report = artefacts_made(splits, folder)
    (lost,) = [each for each in report.candidates if each.method == smaller.name]
    sys.stderr.write(
        f"8 bits: {lost.speedup:.2f} times as fast, F1 of lines {lost.loss:.4f} lower on {report.num_items} pages\n"
    )
    found = {}
    for what, artefact in (("as it is", whole), ("in 8 bits", smaller)):
        backend = _chosen(artefact)
        found[f"{what}, {backend.name}, as a server chooses"] = artefact, backend
    taken = next(iter(found.values()))[1]
    others = [backend_kind(name) for name in NAMES if backend_kind(name).is_there() and name != taken.name]
    return {**found, **{f"as it is, {each.name}": (whole, each) for each in others}}


def _chosen(artefact: Path) -> type[Backend]:
    """The backend that a server takes by itself."""
    made = backend_choose(artefact)
    for trial in made.tried:
        sys.stderr.write(f"{artefact.name}, {trial.backend}: {trial.why or f'{trial.ms:.0f} ms'}\n")
    return made.predictor.backend


def _fonts() -> Callable[[int], Font]:
    try:
        path = font(FONT, ASSETS_DIR)
    except AssetMissingError as error:
        raise SkippedError(error.message) from error
    return lru_cache(maxsize=None)(lambda size: ImageFont.truetype(path, size))


def _plain_font(size: int) -> Font:
    return ImageFont.load_default(size)


if __name__ == "__main__":
    main(measure)
