"""Texts."""

from engine.embedding.spec import GRAPH_FILE, TEXT_EDITION, TOKENIZER_FILE, Recipe

__all__ = ["KIND"]

KIND = Recipe(TEXT_EDITION, (GRAPH_FILE, TOKENIZER_FILE))
