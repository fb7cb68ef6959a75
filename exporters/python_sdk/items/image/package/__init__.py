"""A trained picture model: ``Model().predict("picture.jpg")`` answers labels with scores, best first."""

from .model import Model

__all__ = ["Model"]
__version__ = "{{version}}"
