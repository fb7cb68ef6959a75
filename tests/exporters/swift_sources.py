"""Swift sources, parsed: no compiler for them is at hand."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import tree_sitter_swift
from tree_sitter import Language, Node, Parser

from exporters.build import HERE

GRAMMAR = "tree-sitter-swift"


def sources_of(target: str) -> list[Path]:
    """The Swift files that a target ships."""
    return sorted((HERE / target).rglob("*.swift"))


def faults(source: bytes) -> list[str]:
    """Places, with what is there, where a source is no Swift."""
    tree = Parser(Language(tree_sitter_swift.language())).parse(source)
    return [f"line {node.start_point.row + 1}: {(node.text or b'').decode()[:60]}" for node in _wrong(tree.root_node)]


def tool() -> str:
    """The grammar, with its version."""
    return f"{GRAMMAR} {version(GRAMMAR)}"


def _wrong(node: Node) -> Iterator[Node]:
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from _wrong(child)
