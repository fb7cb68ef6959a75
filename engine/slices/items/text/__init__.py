"""Texts."""

from engine.slices.items.text.facts import Texts

KIND = Texts()
