"""The job ``profile``: reads all current rows of a dataset, and describes its columns.

The rows' JSON is parsed part by part into columns on disk, which are then mapped into memory: of a table larger than that, only
what is looked at is there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj
import pyarrow.parquet as pq
from pydantic import ValidationError

from automl.contracts.annotation import stored_class, stored_number
from automl.contracts.dataset import Split
from automl.contracts.table import COLUMNS_FILE, PROFILE_FILE, ROWS_FILE, TableSchema
from engine.errors import DataInvalidError
from engine.job import Job
from engine.table.profile import RowTargets, table_profile

_PART_ROWS = 20_000
_READ_TO, _LOOKED_TO = 0.35, 0.98
_CELLS_FILE = "cells.arrow"


def run(job: Job) -> Mapping[str, float]:
    """Writes ``artefact/profile.json``; returns the numbers of rows and columns and of warnings.

    Raises:
        StoppedError: the job was asked to stop.
        DataInvalidError: the rows or the columns cannot be read.
    """
    job.progress("load", 0.0)
    try:
        schema = TableSchema.read(job.data_dir / COLUMNS_FILE)
        if not schema.columns:
            raise ValueError("no column is known")
        with pq.ParquetFile(job.data_dir / ROWS_FILE) as rows:
            cells, is_held_back_N, annotations = _columns(job, rows, schema)
    except (OSError, pa.ArrowException, ValidationError, KeyError, ValueError) as error:
        raise DataInvalidError(f"The rows of the table cannot be read: {error}") from error

    def report(done: int, total: int) -> None:
        job.control.raise_if_stopped()
        job.progress("profile", _READ_TO + (_LOOKED_TO - _READ_TO) * done / max(1, total))

    profile = table_profile(
        schema, cells, is_held_back_N=is_held_back_N, targets=_row_targets(annotations), seed=job.spec.seed, on_progress=report
    )
    job.artefact_dir.mkdir(exist_ok=True)
    profile.write(job.artefact_dir / PROFILE_FILE)
    (job.workdir / _CELLS_FILE).unlink()
    job.progress("write", 1.0)
    return {
        "num_rows": float(profile.num_rows),
        "num_columns": float(len(profile.columns)),
        "num_warnings": float(len(profile.warnings)),
    }


def _columns(job: Job, rows: pq.ParquetFile, schema: TableSchema) -> tuple[pa.Table, np.ndarray, pa.Array]:
    """The cells of all rows by column, which rows are held back, and their annotations."""
    path = job.workdir / _CELLS_FILE
    schema_of_cells = pa.schema([pa.field(column.name, pa.string()) for column in schema.columns])
    held_back, annotations, done = [], [], 0
    with pa.ipc.new_file(path, schema_of_cells) as writer:
        for batch in rows.iter_batches(batch_size=_PART_ROWS, columns=["row", "split", "annotations"]):
            job.control.raise_if_stopped()
            writer.write_batch(_parsed(batch.column("row"), schema_of_cells))
            held_back.append(np.asarray(pc.not_equal(batch.column("split"), Split.TRAIN.value)))
            annotations.append(batch.column("annotations"))
            done += batch.num_rows
            job.progress("load", _READ_TO * done / max(1, rows.metadata.num_rows))
    cells = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    return (
        cells,
        np.concatenate(held_back) if held_back else np.zeros(0, dtype=bool),
        pa.chunked_array(annotations, pa.string()),
    )


def _parsed(rows: pa.StringArray, schema: pa.Schema) -> pa.RecordBatch:
    """Takes rows apart; a cell that a row does not have is null, one of a column that nobody knows is left out."""
    if rows.null_count:
        raise ValueError("an item is no row")
    lines = "\n".join(rows.to_pylist()).encode()
    parsed = pj.read_json(
        pa.BufferReader(lines),
        read_options=pj.ReadOptions(use_threads=False, block_size=len(lines) + 1),  # one block: no row stands across two
        parse_options=pj.ParseOptions(
            explicit_schema=pa.schema([("cells", pa.struct(list(schema)))]), unexpected_field_behavior="ignore"
        ),
    )
    cells = parsed["cells"].combine_chunks()
    if len(cells) != len(rows) or cells.null_count:
        raise ValueError("a row is no JSON object with cells")
    return pa.RecordBatch.from_arrays([cells.field(place) for place in range(len(schema))], schema=schema)


def _row_targets(annotations: pa.ChunkedArray) -> RowTargets | None:
    """The labels or numbers that rows carry, whichever most do; None where no row has any."""
    coded = pa.concat_arrays([pa.array([], pa.string()), *annotations.chunks]).dictionary_encode()
    labels: list[str | None] = []
    values: list[float] = []
    for text in coded.dictionary.to_pylist():
        annotations = json.loads(text) if text else []
        labels.append(next(filter(None, map(stored_class, annotations)), None))
        numbers = (number for one in annotations if (number := stored_number(one)) is not None)
        values.append(next(numbers, math.nan))
    codes_N = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    values_N = np.array([*values, np.nan])[codes_N]
    labels_N = pa.array([*labels, None], pa.string()).take(pa.array(np.where(codes_N < 0, len(labels), codes_N)))
    num_labels, num_values = len(labels_N) - labels_N.null_count, int((~np.isnan(values_N)).sum())
    if not num_labels and not num_values:
        return None
    return RowTargets(labels_N, None) if num_labels >= num_values else RowTargets(None, values_N)
