"""What the parts of a report file are drawn from: the same objects that the API answers with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from django.utils.safestring import SafeString

from automl.contracts.base import Text
from automl.contracts.task import MetricSpec, TaskSpec
from studio.registry.models import Artefact
from studio.registry.schemas import ArtefactOut, ReportOut, SplitReportOut


@dataclass(frozen=True)
class Sheet:
    """One report in one language."""

    artefact: Artefact
    shown: ArtefactOut
    report: ReportOut
    task: TaskSpec
    metrics: tuple[MetricSpec, ...]
    """That are measured as the project's options stand; the first is the objective."""
    language: str

    def text(self, sentence: Text) -> str:
        """A sentence in the report's language."""
        return sentence.in_language(self.language)


class Block(Protocol):
    """What each module of ``blocks`` calls ``KIND``: a chart of the report, by the name that tasks give it."""

    is_of_split: bool
    """It is drawn once for each split, else once for the model."""

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """The part of the page; empty where the report has nothing for it."""
