"""Asks a model about texts, each altered before the tokenizer reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import MODEL_FILE, ArtefactManifest, TextDecode
from automl.contracts.dataset import ItemRecord
from engine.answers import answer_kind
from engine.artefact.session import Session
from engine.data.items import ASKED_AT_ONCE
from engine.data.text import TextTokenizer
from engine.data.text_tokens import version_texts
from engine.data.version import DatasetVersion
from engine.items.text.kind import Texts as TextItems
from engine.job import Job
from engine.robustness.alteration import Alter, Alteration
from engine.robustness.items.kind import Example, Questions, Span, records_drawn
from engine.robustness.items.text.alterations import alterations
from engine.tasks import task_part
from engine.training.evaluate import answers

MOST_ITEMS = 200
_NUM_DRAWS = 3
_LEAST_CHANGED = 0.5
"""Share of the texts that an alteration must change at its strongest: capitals say nothing of Chinese texts."""
_EXAMPLE_CHARACTERS = 100


class Texts:
    """See ``AlterationsKind``."""

    def questions(self, job: Job, folder: Path, manifest: ArtefactManifest, version: DatasetVersion) -> Questions:
        """See ``AlterationsKind``."""
        decode = manifest.decode
        assert isinstance(decode, TextDecode)  # as its kind says
        records, num_in_split = records_drawn(version, job.spec.split, MOST_ITEMS)
        tokenizer = TextItems().opened(decode, folder).tokenizer
        texts = version_texts(version, records)
        session = Session(folder / MODEL_FILE, num_threads=job.spec.limits.num_threads)

        def asked(alter: Alter | None, generator: np.random.Generator, span: Span) -> NDArray[Any]:
            altered = texts if alter is None else [alter(text, generator) for text in texts]
            items = AskedTexts(altered, tokenizer)
            return answers(session, items, records, kind=answer_kind(manifest.output), job=job, span=span)

        def example(alter: Alter | None) -> Example:
            text = texts[0] if alter is None else alter(texts[0], np.random.default_rng(0))
            return Example(text=text[:_EXAMPLE_CHARACTERS] + "…" * (len(text) > _EXAMPLE_CHARACTERS))

        targets = task_part(manifest.task, "data").targets(records, manifest.label_set.names, version.manifest.task_options)
        apt = [each for each in alterations() if _is_apt(each, texts)]
        return Questions(records, num_in_split, targets, apt, num_draws=_NUM_DRAWS, answers=asked, example=example)


@dataclass(frozen=True)
class AskedTexts:
    """See ``AskedItems``: the texts of the records that are asked about, in their order."""

    texts: Sequence[str]
    tokenizer: TextTokenizer
    asked_at_once = ASKED_AT_ONCE

    def indices(self, records: Iterable[ItemRecord]) -> NDArray[np.int64]:
        """See ``AskedItems``."""
        return np.arange(len(list(records)))

    def graph_input(self, rows_B: NDArray[np.int64]) -> NDArray[np.int64]:
        """See ``AskedItems``."""
        return self.tokenizer.batch([self.texts[row] for row in rows_B.tolist()])


def _is_apt(alteration: Alteration, texts: Sequence[str]) -> bool:
    generator, alter = np.random.default_rng(0), alteration.steps[-1].alter
    return sum(alter(text, generator) != text for text in texts) >= _LEAST_CHANGED * len(texts)
