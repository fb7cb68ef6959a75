"""Scores of labels that stand by themselves."""

from __future__ import annotations

from exporters.answers._scores import Scores

KIND = Scores()
