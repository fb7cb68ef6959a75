"""A trained table model: ``Model().predict({"age": 34, "city": "Paris"})`` answers for a row."""

from .model import Model

__all__ = ["Model"]
__version__ = "{{version}}"
