"""Scores of labels that exclude each other."""

from __future__ import annotations

from exporters.answers._scores import Scores

KIND = Scores()
