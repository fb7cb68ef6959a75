"""What products ran on: ``python -m tests.exporters.support`` builds and runs them, and writes the matrix into ``docs/``."""

from __future__ import annotations

import json
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from automl.contracts.target import CheckResult
from automl.contracts.words import Words
from exporters.build import build, target_find, target_names
from exporters.bundle import manifest_read
from exporters.cpp_sdk.compiled import library_path
from tests.contracts.test_runtime_kinds import MAKERS as ARTEFACTS
from tests.exporters import swift_sources
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.cpp_library import LANGUAGES, json_of, sample_of
from tests.exporters.foreign import SYSTEMS, selftests_on
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.support.once import folder_open

words = Words(__file__)

DOCS = Path(__file__).resolve().parents[2] / "docs"
MATRIX = DOCS / "support.json"
PAGES = {"en": DOCS / "support.md", "zh": DOCS / "support.zh-CN.md"}
MAKERS = {"image": artefact_write, "row": row_artefact_write, "text": text_artefact_write}
"""An artefact for each kind of items."""
SAME_RUNTIME = ("device_bundle", "model_update", "onnx_model", "onprem_server")
"""Targets that ship the same Python as ``python_sdk`` and nothing of their own for what a model answers."""
RAN, COMPUTED = "ran", "computed"
CORE_RAN = "core_ran"
"""What is below the Swift sources ran, and they were parsed."""


@dataclass(frozen=True)
class Entry:
    """A product of which golden samples were answered on a system."""

    target: str
    system: str
    """For people."""
    items: tuple[str, ...]
    """Kinds that the models read."""
    answers: tuple[str, ...]
    """Kinds that the models gave."""
    level: str
    environment: str
    tools: tuple[str, ...]
    """Versions of what built and ran it, where that is not the system's own."""
    date: str
    language: str = ""
    """Of the program that called the product, where that is not the product's own."""


def measured() -> Iterator[Entry]:
    """Builds every product and runs it on this system, and those for other systems there."""
    today, here = _today(), _here()
    with tempfile.TemporaryDirectory() as scratch:
        for name in target_names():
            ran = {}
            for kind, output, artefact_dir in _accepted(name, Path(scratch) / name):
                ran[kind, output] = build(name, artefact_dir, artefact_dir.with_name("out"), {}).check
            items, answers = (tuple(sorted(set(each))) for each in zip(*ran, strict=True))
            level, tools = _reached(name)
            check = next(iter(ran.values()))
            if check.in_place_of:
                level = COMPUTED
            yield Entry(name, here, items, answers, level, check.environment, tools, today)
        for system in SYSTEMS:
            kinds, outputs, artefact_dirs = zip(*_accepted("cpp_sdk", Path(scratch) / system.name), strict=True)
            for output, check in zip(outputs, selftests_on(system, artefact_dirs, Path(scratch) / system.name), strict=True):
                assert check.is_passed, f"{system.title}, {output}: a score differs by {check.max_difference:.2g}"
            items, answers = (tuple(sorted(set(each))) for each in (kinds, outputs))
            yield Entry("cpp_sdk", system.title, items, answers, RAN, check.environment, system.tools(), today)
        yield from called_from_others(Path(scratch) / "others")


def called_from_others(place: Path) -> Iterator[Entry]:
    """The library for C and C++ on this system, called from programs in other languages."""
    kinds, outputs, artefact_dirs = zip(*_accepted("cpp_sdk", place), strict=True)
    items, answers = (tuple(sorted(set(each))) for each in (kinds, outputs))
    for language in LANGUAGES:
        command = [*sample_of(language, artefact_dirs[0]), "--library", str(library_path()), "--selftest"]
        for artefact_dir in artefact_dirs:
            check = CheckResult.model_validate(json_of([*command, str(artefact_dir)]))
            assert check.is_passed, f"{language.title}, {artefact_dir}: a score differs by {check.max_difference:.2g}"
        yield Entry("cpp_sdk", _here(), items, answers, RAN, check.environment, language.tools(), _today(), language.title)


def _reached(name: str) -> tuple[str, tuple[str, ...]]:
    """How far a product was tried whose golden samples were answered, and what tried the rest of it."""
    parsed = swift_sources.sources_of(name)
    if not parsed:
        return RAN, ()
    assert not any(swift_sources.faults(path.read_bytes()) for path in parsed)
    return CORE_RAN, (swift_sources.tool(),)


def _today() -> str:
    return datetime.now(tz=UTC).date().isoformat()


def _here() -> str:
    return f"{platform.system()} {platform.machine().replace('x86_64', 'x64')}"


def _accepted(name: str, place: Path) -> Iterator[tuple[str, str, Path]]:
    """Artefacts that a target accepts, with the kinds of their items and of their answers."""
    spec = target_find(name).spec
    for (kind, output), make in ARTEFACTS.items():
        if output in spec.accepts and kind in spec.items:
            artefact_dir = make(place / f"{kind}-{output}" / "artefact")
            if manifest_read(artefact_dir).decode.kind == kind:
                yield kind, output, artefact_dir


def needs_extra(name: str) -> None:
    """Skips a test, and says why, where a target's optional extra is not installed."""
    missing = target_find(name).missing()
    if missing.extra or missing.variable:
        cure = missing.variable or f"modelyard[{missing.extra}]"
        pytest.skip(f"{name} is not tested here: {', '.join(missing.names)} missing ({cure})")


def read() -> list[Entry]:
    """The matrix as it was measured last."""
    entries = json.loads(MATRIX.read_text(encoding="utf-8"))["entries"]
    lists = ("items", "answers", "tools")
    return [Entry(**entry | {name: tuple(entry[name]) for name in lists}) for entry in entries]


def page(entries: list[Entry], language: str) -> str:
    """The matrix for people."""

    def word(key: str, **values: str) -> str:
        return str(getattr(words(key, **values), language))

    def title(entry: Entry) -> str:
        own = str(getattr(target_find(entry.target).spec.title, language))
        return word("called_from", title=own, language=entry.language) if entry.language else own

    def line(entry: Entry) -> str:
        return word(
            "line",
            title=title(entry),
            system=entry.system,
            items=word("and").join(word(f"item.{kind}") for kind in entry.items),
            answers=word("and").join(word(f"answer.{kind}") for kind in entry.answers),
            level=word(f"level.{entry.level}"),
            environment=entry.environment,
            tools="; ".join(entry.tools) or word("native"),
            date=entry.date,
        )

    table = [word("head"), "| --- " * word("head").count(" | ") + "| --- |", *map(line, entries)]
    return "\n".join([f"# {word('title')}", "", word("lead"), "", *table, "", word("others"), "", word("source"), ""])


def main() -> int:
    """Measures, and writes what ran."""
    folder_open()
    entries = list(measured())
    document = {"schema_version": 1, "entries": [asdict(entry) for entry in entries]}
    MATRIX.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for language, path in PAGES.items():
        path.write_text(page(entries, language), encoding="utf-8")
    sys.stdout.write(f"{len(entries)} products ran\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
