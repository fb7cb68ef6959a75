"""A trained text model: ``Model().predict("Delivered a day early")`` answers labels with scores, best first."""

from .model import Model

__all__ = ["Model"]
__version__ = "{{version}}"
