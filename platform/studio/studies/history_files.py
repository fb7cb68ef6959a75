"""The history of a study as a file: a table for people, a storage that Optuna opens, and logs that TensorBoard opens."""

from __future__ import annotations

import csv
import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from automl.search.objectives import SideObjective
from studio.studies.advance import history_of, objective_of
from studio.studies.models import Study, Trial
from studio.studies.plan import space_of

_FIRST = ("number", "state", "family", "size", "value")


@dataclass(frozen=True)
class HistoryFile:
    """One form of the history."""

    ending: str
    content_type: str
    write: Callable[[Study], bytes]


def _table(study: Study) -> bytes:
    """One row a trial: what was tried, what came of it, when."""
    trials = list(Trial.objects.filter(study=study, members__isnull=True).order_by("number"))
    params = sorted({name for trial in trials for name in trial.train.params})
    metrics = sorted({name for trial in trials for name in trial.values})
    sides = [name.value for name in SideObjective]
    file = io.StringIO(newline="")
    rows = csv.writer(file)
    rows.writerow(
        [
            *_FIRST,
            *(f"param.{name}" for name in params),
            *(f"metric.{name}" for name in metrics),
            *sides,
            "started_at",
            "ended_at",
        ]
    )
    for trial in trials:
        train = trial.train
        values = [*(train.params.get(name, "") for name in params), *(trial.values.get(name, "") for name in metrics)]
        times = [each.isoformat() if each else "" for each in (trial.started_at, trial.ended_at)]
        first = [trial.number + 1, trial.state, train.family, train.size, "" if trial.value is None else trial.value]
        rows.writerow([*first, *values, *(trial.footprint.get(name, "") for name in sides), *times])
    return file.getvalue().encode()


def _storage(study: Study) -> bytes:
    """A journal of Optuna with one study of the same name; trials that the space cannot say any more are left out."""
    from automl.search.journal import journal_write  # noqa: PLC0415 - it loads Optuna's storages

    space = space_of(study)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.log"
        if space is None:
            return b""
        journal_write(
            path,
            name=study.name,
            history=history_of(study),
            space=space,
            is_higher_better=objective_of(study).is_higher_better,
            also_improves=[SideObjective(name) for name in study.also_improves],
        )
        return path.read_bytes()


def _tensorboard(study: Study) -> bytes:
    """An archive with a folder of event files for each trial that measured something: its learning curves and settings."""
    from tensorboardX import SummaryWriter  # noqa: PLC0415 - it loads a second when it is needed first

    archive = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        for trial in Trial.objects.filter(study=study, points__isnull=False).distinct().order_by("number"):
            run = Path(folder) / f"trial-{trial.number + 1:03d}-{trial.train.family}"
            began_s = (trial.started_at or study.created_at).timestamp()
            with SummaryWriter(str(run)) as writer:
                writer.add_text("settings", _settings(trial), global_step=0, walltime=began_s)
                for point in trial.points.order_by("step", "split"):
                    for name, value in sorted(point.values.items()):
                        writer.add_scalar(f"{name}/{point.split}", value, global_step=point.step, walltime=began_s)
            for path in sorted(run.iterdir()):
                zipped.write(path, f"{run.name}/{path.name}")
    return archive.getvalue()


def _settings(trial: Trial) -> str:
    """As a table of Markdown, which TensorBoard shows."""
    named = {"family": trial.train.family, "size": trial.train.size, **trial.train.params}
    return "\n".join(["| setting | value |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in named.items())])


HISTORY_FILES: Mapping[str, HistoryFile] = {
    "csv": HistoryFile("csv", "text/csv", _table),
    "optuna": HistoryFile("log", "application/octet-stream", _storage),
    "tensorboard": HistoryFile("zip", "application/zip", _tensorboard),
}
"""By the name in the query."""
