"""The output of ``modelyard predict``: predictions for files, or a table with a column of predictions."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, tee
from pathlib import Path
from typing import Any, TextIO

from modelyard.client import Client
from modelyard.deployment import Deployment, Prediction
from modelyard.errors import ApiError, ModelyardError
from modelyard.rows import Row, TableFile

BOX_SIDES = ("x", "y", "width", "height")
ALL = 1_000
"""Labels that are requested if each has a column of scores."""


@dataclass(frozen=True)
class PredictOptions:
    """What is predicted and how it is written."""

    top: int | None = None
    threshold: float | None = None
    has_scores: bool = False
    """Of rows: a column for the score of each label."""
    is_lenient: bool = False
    """Of rows: cells that cannot be read count as empty."""
    is_jsonl: bool = False
    """JSON Lines with all annotations, else CSV."""


def deployment_find(client: Client, name: str, project: str | None) -> Deployment:
    """The deployment of an id, an address or a name.

    Args:
        client: of a workspace.
        name: id, slug or name.
        project: id or name; None looks in all projects.

    Raises:
        ModelyardError: there is none, or several projects have one.
    """
    if project is not None:
        return client.project(project).deployment(name)
    if name.startswith("dep_"):
        return client.deployment(name)
    every = [deployment for each in client.projects() for deployment in each.deployments()]
    for field in ("slug", "name"):
        found = [deployment for deployment in every if getattr(deployment, field) == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise ModelyardError(f"{len(found)} deployments are called {name!r}.", hint="Say which with --project.")
    known = ", ".join(sorted(deployment.slug for deployment in every)[:20]) or "none"
    raise ModelyardError(f"There is no deployment {name!r}.", hint=f"There are: {known}.")


def predict_files(deployment: Deployment, paths: Sequence[str], options: PredictOptions, out: TextIO) -> int:
    """Asks about files and writes the answers as they come; returns how many items were answered.

    Raises:
        ModelyardError: a file cannot be read, or the server refused.
    """
    form = _form(deployment)
    if form is not None:
        return _tables(deployment, [TableFile.open(path) for path in paths], form, options, out)
    missing = next((path for path in paths if not Path(path).is_file()), None)
    if missing is not None:
        raise ModelyardError(f"There is no file {missing}.")
    answers = deployment.predict_many(map(Path, paths), top=options.top, threshold=options.threshold)
    write = _lines(out) if options.is_jsonl else _sheet(out)
    for path, prediction in zip(paths, answers, strict=True):
        write(path, prediction)
    return len(paths)


def _form(deployment: Deployment) -> dict[str, Any] | None:
    """What the model's rows look like; None where it reads none."""
    try:
        return deployment.columns()
    except ApiError as error:
        if error.code == "model_reads_no_rows":
            return None
        raise


def _lines(out: TextIO) -> Any:  # noqa: ANN401 - a function of a path and its answer
    def write(path: str, prediction: Prediction) -> None:
        out.write(json.dumps({"file": path, "annotations": prediction.annotations}, ensure_ascii=False) + "\n")

    return write


def _sheet(out: TextIO) -> Any:  # noqa: ANN401 - a function of a path and its answer
    """A line for each annotation; a file without annotations has one with empty cells."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["file", "label", "score", *BOX_SIDES])

    def write(path: str, prediction: Prediction) -> None:
        for one in prediction.annotations or [{}]:
            writer.writerow([path, *(one.get(name, "") for name in ("label", "score", *BOX_SIDES))])

    return write


def _tables(
    deployment: Deployment, tables: Sequence[TableFile], form: Mapping[str, Any], options: PredictOptions, out: TextIO
) -> int:
    columns = tables[0].columns
    other = next((each for each in tables if each.columns != columns), None)
    if other is not None and not options.is_jsonl:
        raise ModelyardError(
            f"{other.path} has other columns than {tables[0].path}.", hint="Ask about each by itself, or for --format jsonl."
        )
    rows, rows_again = tee(chain.from_iterable(each.rows() for each in tables))
    answers = deployment.predict_table(
        rows,
        top=ALL if options.has_scores else options.top,
        threshold=0.0 if options.has_scores else options.threshold,
        invalid_cells="missing" if options.is_lenient else "refuse",
    )
    both = zip(rows_again, answers, strict=True)
    if options.is_jsonl or not columns:
        return _row_lines(both, out)
    return _row_sheet(both, tables[0], form, options, out)


def _row_lines(both: Iterable[tuple[Row, Prediction]], out: TextIO) -> int:
    num_rows = 0
    for row, prediction in both:
        out.write(json.dumps({"row": row, "annotations": prediction.annotations}, ensure_ascii=False) + "\n")
        num_rows += 1
    return num_rows


def _row_sheet(
    both: Iterable[tuple[Row, Prediction]], table: TableFile, form: Mapping[str, Any], options: PredictOptions, out: TextIO
) -> int:
    """The table as it was, with the prediction beside it."""
    labels = list(form["labels"])
    scored = labels if options.has_scores else []
    writer = csv.writer(out, delimiter=table.delimiter, lineterminator="\n")
    target = form["target"]
    added = [f"{target}_predicted", *([f"{target}_score"] if labels else []), *(f"{target}_score_{label}" for label in scored)]
    writer.writerow([*table.columns, *_free(added, table.columns)])
    num_rows = 0
    for row, prediction in both:
        writer.writerow(
            [*(row.get(name, "") for name in table.columns), *_cells(prediction, is_number=not labels, scored=scored)]
        )
        num_rows += 1
    return num_rows


def _cells(prediction: Prediction, *, is_number: bool, scored: Sequence[str]) -> Iterator[str | float | None]:
    if is_number:
        yield prediction.value
        return
    yield prediction.label
    yield prediction.score
    by_label = {one["label"]: one["score"] for one in prediction.annotations}
    yield from (by_label.get(label) for label in scored)


def _free(added: Sequence[str], used: Sequence[str]) -> list[str]:
    """Names that no column of the table has."""
    names: list[str] = []
    for name in added:
        number, free = 2, name
        while free in used or free in names:
            free, number = f"{name}_{number}", number + 1
        names.append(free)
    return names
