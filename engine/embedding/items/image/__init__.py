"""Pictures."""

from engine.embedding.spec import EDITION, GRAPH_FILE, Recipe

__all__ = ["KIND"]

KIND = Recipe(EDITION, (GRAPH_FILE,))
