"""Names that tests and benchmarks take from our own modules and that are not there: ``python -m tests.support.imported_names``.

mypy does not read these folders, and to import them all takes a minute. Here nothing is imported: a module's names are those
that its source binds outside functions and classes.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READERS = ("tests", "benchmarks")
SOURCE_ROOTS = {"studio": ROOT / "platform", "modelyard": ROOT / "client"}
"""Of packages that are not folders of the root."""
PACKAGES = {"automl", "benchmarks", "engine", "exporters", "labeling", "modelyard", "runtime", "studio", "tests"}
_ALWAYS = {"__doc__", "__file__", "__name__", "__package__", "__path__", "__spec__", "__dict__"}


def main() -> int:
    """Prints what is missing; 1 if something is."""
    paths = chain.from_iterable((ROOT / folder).rglob("*.py") for folder in READERS)
    found = [line for path in sorted(paths) for line in missing(path.read_bytes(), path.relative_to(ROOT))]
    sys.stdout.write("".join(f"{line}\n" for line in found))
    return 1 if found else 0


def missing(source: bytes, own: Path) -> list[str]:
    """A line for each name that a file takes from a module of ours that has no such name.

    Args:
        source: of the file.
        own: its place below the root.
    """
    tree, found, modules = ast.parse(source), [], {}
    for line, module, name, alias in _imports(tree, own.parent.parts):
        whole = module if name is None else f"{module}.{name}"
        if _place(module) is None or (name is not None and not _has(module, name)):
            found.append((line, whole))
        elif _place(whole) is not None and (alias or name):
            modules[alias or name] = whole
    for name in _bound(tree.body, is_deep=True):  # it may be another thing there
        modules.pop(name, None)
    found += [
        (line, f"{modules[name]}.{attribute}")
        for name, attribute, line in _uses(tree)
        if name in modules and not _has(modules[name], attribute)
    ]
    return [f"{own}:{line}: {what} is not there" for line, what in found]


def _imports(tree: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[int, str, str | None, str | None]]:
    """Line, module of ours, the name taken from it (None: itself) and what it is called here if that is something else."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                taken = [(alias.name, None, alias.asname) for alias in node.names]
            case ast.ImportFrom(level=0, module=str(module)):
                taken = [(module, alias.name, alias.asname) for alias in node.names]
            case ast.ImportFrom(level=level, module=module):
                base = ".".join([*package[: len(package) - level + 1], *([module] if module else [])])
                taken = [(base, alias.name, alias.asname) for alias in node.names]
            case _:
                continue
        yield from ((node.lineno, *each) for each in taken if each[0].split(".")[0] in PACKAGES)


def _uses(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """Attributes that are asked of a name, or set by ``setattr`` as monkeypatch does, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                yield name, attribute, node.lineno
            case ast.Call(
                func=ast.Attribute(attr="setattr"),
                args=[ast.Name(id=name), ast.Constant(value=str(attribute)), *_],
            ):
                yield name, attribute, node.lineno


def _has(module: str, name: str) -> bool:
    place = _place(module)
    if place is None or name == "*" or name in _ALWAYS or _place(f"{module}.{name}") is not None:
        return place is not None
    names = _names(place)
    return name in names or not names.isdisjoint({"*", "__getattr__"})


def _place(module: str) -> Path | None:
    """The file of a module, or the folder of a package that has none."""
    first, *_ = parts = module.split(".")
    folder = SOURCE_ROOTS.get(first, ROOT).joinpath(*parts)
    places = (folder.with_name(f"{folder.name}.py"), folder / "__init__.py", folder)
    return next((place for place in places if place.is_file() or (place is folder and any(folder.glob("*.py")))), None)


@cache
def _names(place: Path) -> frozenset[str]:
    if place.is_dir():
        return frozenset()
    body = ast.parse(place.read_bytes()).body
    return frozenset([*_bound(body), *_imported(body)])


def _bound(body: Iterable[ast.stmt], *, is_deep: bool = False) -> Iterator[str]:
    """Names that statements define or assign: those of a module, or with ``is_deep`` also those within functions."""
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        is_scope = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
        if is_deep or not (is_scope or isinstance(node, ast.Lambda)):
            todo += ast.iter_child_nodes(node)


def _imported(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Names that a module's own imports bind; "*" where it takes all of another."""
    for node in chain.from_iterable(map(ast.walk, body)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)


if __name__ == "__main__":
    sys.exit(main())
