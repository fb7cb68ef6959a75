"""Rows by their columns, prepared for trees and for a linear head. Shapes: N rows, D features."""

from __future__ import annotations

import numpy as np

from automl.contracts.artefact import ArtefactManifest, RowDecode
from automl.contracts.dataset import Split
from engine.advice.learner import Material, Style
from engine.advice.learner import Rows as Features
from engine.advice.vectors import measured_by
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError
from engine.job import Job
from engine.models.shared.rows import joined
from engine.table.encode import Preparation
from engine.table.reader import read_rows
from engine.table.table import Table
from engine.training.rows.data import targets_of

_SEED = 0


class Rows:
    """See ``ItemsKind``."""

    def material(self, job: Job, manifest: ArtefactManifest, version: DatasetVersion) -> Material:
        """See ``ItemsKind``; columns are prepared without the target, which must not vouch for itself."""
        del job
        decode = manifest.decode
        assert isinstance(decode, RowDecode)  # as its kind says
        by_split = read_rows(version, decode.columns)
        parts = [by_split[split] for split in (Split.TRAIN, Split.VALIDATION)]
        table, labels = joined(parts[0].table, parts[1].table), manifest.label_set.names
        if not len(table):
            raise DataInvalidError("The version has no items to learn from.")
        return Material(
            views=views_of(table),
            targets=np.concatenate([targets_of(part.rows, labels) for part in parts]),
            groups_N=np.arange(len(table)),
            labels=tuple(labels),
            metrics=measured_by(manifest.task, labels),
        )


def views_of(table: Table) -> dict[Style, Features]:
    """Columns as both styles of heads take them."""
    _, dense_ND = Preparation.learn(table, np.zeros(len(table)), 0, style="dense", seed=_SEED)
    _, raw_ND = Preparation.learn(table, np.zeros(len(table)), 0, style="trees", seed=_SEED)
    return {"trees": np.where(np.isfinite(raw_ND), raw_ND, np.nan).astype(np.float32), "linear": np.nan_to_num(dense_ND)}
