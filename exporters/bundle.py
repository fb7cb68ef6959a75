"""Puts the parts of a product together: runtime, artefact, rendered template, archive.

Archives are reproducible: sorted names, no times, no owners, so the same artefact and options give the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
import shutil
import tarfile
import time
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import runtime
from automl.contracts.artefact import (
    CARD_FILES,
    EXPECTED_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    SAMPLES_DIR,
    TEMPLATES_DIR,
    ArtefactManifest,
    GoldenSamples,
)
from automl.contracts.target import BuildReport, CheckResult
from exporters.errors import ArtefactInvalidError
from exporters.items import item_kind
from exporters.sbom import RUNTIME, Part, sbom_write
from runtime.hashes import ArtefactDamagedError, hashes_check, hashes_write
from runtime.listing import modules_in

RUNTIME_DIR = Path(runtime.__file__).parent
PLACEHOLDER = re.compile(r"\{\{ *([a-z_]+) *\}\}")
EXECUTABLES = frozenset({"start", "modelyard-edge"})
USUAL_BACKEND = "onnxruntime_cpu"
"""The runtime's backend with which models are measured where they are trained."""
FIRST_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def known_pipelines() -> frozenset[str]:
    """Kinds of pipelines that the runtime has, for targets that ship it."""
    return frozenset(modules_in([str(RUNTIME_DIR / "pipelines")]))


def manifest_read(artefact_dir: Path) -> ArtefactManifest:
    """Reads the manifest of an artefact.

    Raises:
        ArtefactInvalidError: it is missing or invalid.
    """
    try:
        return ArtefactManifest.read(artefact_dir / MANIFEST_FILE)
    except (OSError, ValueError) as error:
        raise ArtefactInvalidError(f"{MANIFEST_FILE} cannot be read: {error}") from error


def known_backends() -> tuple[str, ...]:
    """Names of the runtime's backends, for targets that ship it with all of them."""
    return modules_in([str(RUNTIME_DIR / "backends")])


def runtime_copy(target: Path) -> None:
    """Copies the runtime as it is, with its licence."""
    for path in sorted(RUNTIME_DIR.rglob("*")):
        if path.suffix == ".py" or path.name == "LICENSE":
            place = target / path.relative_to(RUNTIME_DIR)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def artefact_copy(artefact_dir: Path, target: Path, parts: Sequence[Part] = (RUNTIME,)) -> None:
    """Copies what inference and its check need, but neither the weights for further training nor the report.

    Beside the folder lies ``sbom.cdx.json``, the list of what the product is made of.

    Args:
        artefact_dir: the artefact.
        target: the folder in the product that becomes its copy.
        parts: what is in the product besides, or needed beside it.

    Raises:
        ArtefactInvalidError: a file is missing, or the samples are not by the contract.
    """
    manifest = manifest_read(artefact_dir)
    labels = manifest.label_set.names
    samples = artefact_dir / SAMPLES_DIR
    (target / SAMPLES_DIR).mkdir(parents=True)
    try:
        golden = GoldenSamples.read(samples / EXPECTED_FILE)
        # With names, a label that is swapped on the way shows in the product's own selftest.
        named = golden.model_copy(update={"labels": golden.labels or labels})
        named.write(target / SAMPLES_DIR / EXPECTED_FILE)
        for sample in golden.samples:
            shutil.copyfile(samples / sample.file, target / SAMPLES_DIR / sample.file)
        read = _files_read(manifest)
        hashes_check(artefact_dir, read)
        read = (*read, *_template_files(artefact_dir))
        for name in read:
            (target / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(artefact_dir / name, target / name)
        hashes_write(target, read)
        sbom_write(target.parent, manifest, target / MODEL_FILE, parts)
    except (OSError, ValueError) as error:
        raise ArtefactInvalidError(f"the artefact is not whole: {error}") from error
    except ArtefactDamagedError as error:
        raise ArtefactInvalidError(error.detail) from error


def artefact_files(artefact_dir: Path) -> list[Path]:
    """The files of an artefact that ``artefact_copy`` takes.

    Raises:
        ArtefactInvalidError: one is missing, or cannot be read.
    """
    manifest, samples = manifest_read(artefact_dir), f"{SAMPLES_DIR}/{EXPECTED_FILE}"
    try:
        golden = GoldenSamples.read(artefact_dir / samples)
    except (OSError, ValueError) as error:
        raise ArtefactInvalidError(f"{samples} cannot be read: {error}") from error
    names = [*_files_read(manifest), *_template_files(artefact_dir), samples]
    names += [f"{SAMPLES_DIR}/{sample.file}" for sample in golden.samples]
    missing = [name for name in names if not (artefact_dir / name).is_file()]
    if missing:
        raise ArtefactInvalidError(f"the artefact is not whole: there is no {missing[0]}")
    return [artefact_dir / name for name in names]


def _files_read(manifest: ArtefactManifest) -> tuple[str, ...]:
    """Files by whose hashes an artefact is told whole."""
    return (MANIFEST_FILE, MODEL_FILE, *item_kind(manifest).files(manifest.decode), *manifest.files)


def _template_files(artefact_dir: Path) -> list[str]:
    """Templates that lie with the artefact."""
    return sorted(path.relative_to(artefact_dir).as_posix() for path in (artefact_dir / TEMPLATES_DIR).glob("*.json"))


def cards_copy(artefact_dir: Path, target: Path) -> None:
    """Copies the model cards that lie with the artefact, if any."""
    for name in CARD_FILES.values():
        if (artefact_dir / name).exists():
            shutil.copyfile(artefact_dir / name, target / name)


def template_render(template: Path, target: Path, values: Mapping[str, str]) -> None:
    """Copies a template folder; ``{{name}}`` becomes the value of that name, in files and nothing else."""
    for path in sorted(template.rglob("*")):
        if path.is_dir() or "__pycache__" in path.parts:
            continue
        place = target / path.relative_to(template)
        place.parent.mkdir(parents=True, exist_ok=True)
        newline = "\r\n" if path.suffix == ".bat" else "\n"  # Windows' shell misses labels otherwise
        place.write_text(text_render(path, values), encoding="utf-8", newline=newline)


def text_render(file: Path, values: Mapping[str, str]) -> str:
    """A file's text with ``{{name}}`` replaced by the value of that name."""
    return PLACEHOLDER.sub(lambda match: values[match[1]], file.read_text(encoding="utf-8"))


def licences_text(manifest: ArtefactManifest, parts: Sequence[Part] = (RUNTIME,)) -> str:
    """The licences of a product's parts as a Markdown list.

    Args:
        manifest: of the model.
        parts: what is in the product besides, or needed beside it.
    """
    lines = [f"- {part.name}{part.version and f' {part.version}'}{part.version_range}: {part.spdx}" for part in parts]
    return "\n".join([*lines, *(f"- {part.part}: {part.spdx} ({part.source})" for part in manifest.licences)])


def tar_write(folder: Path, file: Path) -> None:
    """Packs a folder, under its own name, into a ``.tar.gz``."""
    with (
        file.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for path in _files(folder):
            facts = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}")
            facts.size = path.stat().st_size
            facts.mode = 0o755 if path.name in EXECUTABLES else 0o644
            with path.open("rb") as content:
                tar.addfile(facts, content)


def zip_write(folder: Path, file: Path) -> None:
    """Packs what is in a folder into a ``.zip``."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in _files(folder):
            facts = zipfile.ZipInfo(path.relative_to(folder).as_posix(), FIRST_ZIP_TIME)
            packed.writestr(facts, path.read_bytes(), zipfile.ZIP_DEFLATED)


def wheel_write(folder: Path, file: Path, *, dist_info: str) -> None:
    """Packs a folder into a wheel, with the list of its files that installers check."""
    rows = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path in _files(folder):
            name, content = path.relative_to(folder).as_posix(), path.read_bytes()
            wheel.writestr(zipfile.ZipInfo(name, FIRST_ZIP_TIME), content, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(content)}")
        rows.append(f"{dist_info}/RECORD,,")
        wheel.writestr(zipfile.ZipInfo(f"{dist_info}/RECORD", FIRST_ZIP_TIME), "\n".join(rows) + "\n", zipfile.ZIP_DEFLATED)


def product_publish(product: Path, out_dir: Path, *, target: str, check: CheckResult, started_at: float) -> BuildReport:
    """Copies a checked product to where people download it; only checked products get there.

    Args:
        product: the finished file.
        out_dir: where it goes, under its own name.
        target: name of the target.
        check: the result of the check.
        started_at: when the build began, by ``time.perf_counter``.
    """
    file = out_dir / product.name
    partial = file.with_name(file.name + ".partial")
    shutil.copyfile(product, partial)
    partial.replace(file)
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    duration_s = time.perf_counter() - started_at
    size_bytes = file.stat().st_size
    return BuildReport(target=target, file=file.name, size_bytes=size_bytes, sha256=digest, check=check, duration_s=duration_s)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
