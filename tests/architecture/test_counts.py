"""Counts of what makes growth dear: they may only fall. ``python -m tests.architecture.test_counts`` prints them all."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Collection, Iterator
from functools import cache, partial
from pathlib import Path
from typing import get_args

import pytest

from automl.contracts.annotation import Annotation, AnnotationKind, Primitive
from automl.contracts.modality import Modality
from automl.contracts.task import OutputKind

ROOT = Path(__file__).resolve().parents[2]
LAYERS = {
    "automl": "automl",
    "engine": "engine",
    "runtime": "runtime",
    "exporters": "exporters",
    "platform": "platform/studio",
    "labeling": "labeling",
}
NO_SOURCE = re.compile(r"/(migrations|template|snippets|python_sdk/items|onprem_server/items)/")
OWN_FOLDERS = re.compile(
    r"(^|/)(items/kinds|(?<!datasets/)items|answers|kinds)/(?!kind\.py|_)\w+(/|\.py)|^engine/training/rows/"
)
"""Where a kind of items or of answers is at home; what lists the kinds, their protocol and what they share is no kind's own."""
SPECS = re.compile(
    r"^engine/(tasks|models)/\w+/|^engine/(assets/|tasks/shared/quickstart\.py)|^labeling/formats/|^exporters/\w+/target\.py$"
    r"|^engine/compress/methods/\w+/__init__\.py$|^automl/contracts/(annotation|artefact|modality|task)\.py$"
    r"|^runtime/annotations\.py$"
)
"""Where a task, a family, a way to compress, a format, a target or weights say what they read and answer; where the names are
defined."""
NAMES_OF_KINDS = re.compile(
    r"\bModality\.[A-Z]|\bOutputKind\.[A-Z]|isinstance\([^()]*\b\w+Decode\b"
    r"|\btokenizer is (not )?None|\bholds_(rows|texts)\(|\bpredicts_number\("
)
NAMES = {
    *get_args(AnnotationKind),
    *(name for kinds in (OutputKind, Modality) for name in kinds),
    *(modality.items for modality in Modality),
}
"""Of all kinds of annotations, answers and items, as code quotes them."""
ANNOTATIONS = get_args(get_args(Annotation)[0])
CLASSES = {each.__name__ for each in ANNOTATIONS}
OWN_FIELDS = {field for each in ANNOTATIONS for field in each.model_fields} - Primitive.model_fields.keys()
SHAPES = re.compile(r"^labeling/geometry\.py$|^platform/studio/datasets/items/(outlines|annotation_scale)\.py$")
"""Where something is computed of a shape, by its kind."""
FEATURES = re.compile(r"\bFeatureKind\b[.(]")
FEATURE_SPECS = re.compile(SPECS.pattern + r"|^engine/training/ways/\w+\.py$|^automl/contracts/family\.py$")
DIALECTS = re.compile(r"\bvendor\b|[\"'](postgresql|sqlite)[\"']")
LONGEST_FUNCTION = 40


@cache
def lines_of(layer: str) -> tuple[tuple[str, int, str], ...]:
    """Lines of code of a layer with their files and numbers, without comments."""
    return tuple(
        (path, number, line)
        for path in files_of(layer)
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), start=1)
        if not line.lstrip().startswith("#")
    )


def files_of(layer: str) -> Iterator[str]:
    for file in sorted((ROOT / LAYERS[layer]).rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        if not NO_SOURCE.search(path):
            yield path


def named_kinds(layer: str) -> list[str]:
    """Lines that name a kind of items or of answers outside its folders and outside specs."""
    return [
        f"{path}:{number}: {line.strip()}"
        for path, number, line in lines_of(layer)
        if NAMES_OF_KINDS.search(line) and not OWN_FOLDERS.search(path) and not SPECS.search(path)
    ]


def told_apart(layer: str) -> list[str]:
    """Lines that tell kinds apart by the class of an annotation, by a quoted name, or by asking for what only some have."""
    found = []
    for path in files_of(layer):
        if not any(homes.search(path) for homes in (OWN_FOLDERS, SPECS, SHAPES)):
            lines = {node.lineno for node in ast.walk(tree_of(path)) if is_told_apart(node, own_attributes(layer))}
            code = (ROOT / path).read_text(encoding="utf-8").splitlines()
            found += [f"{path}:{number}: {code[number - 1].strip()}" for number in sorted(lines)]
    return found


def is_told_apart(node: ast.AST, attributes: Collection[str]) -> bool:
    """Whether an expression or pattern does so.

    Args:
        node: of a module.
        attributes: those that only some kinds have.
    """
    match node:
        case ast.Call(func=ast.Name("isinstance"), args=[_, classes]):
            return any(isinstance(each, ast.Name) and each.id in CLASSES for each in ast.walk(classes))
        case ast.Call(func=ast.Name("hasattr"), args=[_, name]) | ast.Call(func=ast.Name("getattr"), args=[_, name, _]):
            return isinstance(name, ast.Constant) and name.value in attributes
        case ast.Compare(left=left, comparators=others):
            return any(quotes_kind(each) for each in (left, *others))
        case ast.MatchClass(cls=ast.Name(name)):
            return name in CLASSES
        case ast.MatchValue(value=value):
            return quotes_kind(value)
    return False


def quotes_kind(node: ast.AST) -> bool:
    """Whether an operand is the name of a kind, or a display of names with that of one."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return any(isinstance(each, ast.Constant) and each.value in NAMES for each in parts)


@cache
def own_attributes(layer: str) -> frozenset[str]:
    """What only some kinds of a layer have: fields of annotations, and what the kinds' modules and the families define.

    Schemas of the API are left out: their fields are names of anything.
    """
    found = set(OWN_FIELDS)
    for path in files_of(layer):
        is_own = OWN_FOLDERS.search(path) or path.startswith("engine/models/")
        if is_own and not path.endswith("/schemas.py"):
            for node in ast.walk(tree_of(path)):
                if isinstance(node, ast.ClassDef | ast.Module):
                    found |= {name for part in node.body for name in defined(part)}
    return frozenset(found)


def defined(node: ast.stmt) -> Iterator[str]:
    """Names that a statement of a module or class defines."""
    match node:
        case ast.FunctionDef(name=name):
            yield name
        case ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]):
            yield name


@cache
def tree_of(path: str) -> ast.Module:
    """A module of the project, parsed."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def named_features() -> list[str]:
    """Lines that name what a family yields outside specs and outside the ways to train."""
    return [
        f"{path}:{number}: {line.strip()}"
        for layer in LAYERS
        for path, number, line in lines_of(layer)
        if FEATURES.search(line) and not FEATURE_SPECS.search(path)
    ]


def kinds_in_formats() -> list[str]:
    """Lines of formats of files that name a kind of items, beside ``MEDIA``: what a format can hold."""
    return [
        f"{path}:{number}: {line.strip()}"
        for path, number, line in lines_of("labeling")
        if path.startswith("labeling/formats/") and NAMES_OF_KINDS.search(line) and not line.startswith("MEDIA = ")
    ]


def dialects() -> list[str]:
    """Files that tell one database from another, outside of where dialects are at home; databases of other people left out."""
    return sorted(
        {
            path
            for layer in ("platform", "labeling")
            for path, _, line in lines_of(layer)
            if DIALECTS.search(line) and "/sql/" not in path
        }
    )


def two_languages() -> list[str]:
    """Places in code that hold a sentence in English and in Chinese: sentences stand in ``words/<language>.json`` beside it."""
    return [
        f"{path}:{number}"
        for layer in LAYERS
        for path, number, line in lines_of(layer)
        if re.search(r"\bText\($|\bText\(en=", line)
    ]


def long_functions() -> list[str]:
    """Functions longer than they should be, their docstrings included."""
    return [
        f"{path}:{node.lineno}: {node.name} ({node.end_lineno - node.lineno + 1} lines)"
        for layer in LAYERS
        for path in files_of(layer)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno - node.lineno >= LONGEST_FUNCTION
    ]


def ignored_imports() -> list[str]:
    """Imports against the arrows that the linter lets pass."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    return [line for contract in contracts for line in contract.get("ignore_imports", [])]


COUNTS: dict[str, tuple[Callable[[], list[str]], int]] = {
    **{f"kinds named in {layer}": (partial(named_kinds, layer), 0) for layer in LAYERS},
    **{f"kinds told apart in {layer}": (partial(told_apart, layer), 0) for layer in LAYERS},
    "lines that name features outside specs and ways to train": (named_features, 2),
    "lines of formats that name kinds of items beside MEDIA": (kinds_in_formats, 0),
    "files that know a database's dialect": (dialects, 2),
    "sentences in two languages": (two_languages, 0),
    f"functions over {LONGEST_FUNCTION} lines": (long_functions, 50),
    "imports let pass by the linter": (ignored_imports, 0),
}
"""What is counted, and how many there are left. Circles of files have a test of their own, and so have kinds in the web app."""


@pytest.mark.parametrize("name", COUNTS)
def test_count_only_falls(name: str) -> None:
    count, left = COUNTS[name]
    found = count()
    assert len(found) == left, f"{name}: write the number down in this file if it fell\n" + "\n".join(found)


if __name__ == "__main__":
    for name, (count, _) in COUNTS.items():
        found = count()
        print(f"{name}: {len(found)}", *found, sep="\n  ")
