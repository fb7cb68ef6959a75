"""How long the profile of a table takes: the job on rows of 20 columns as the platform lays them, a million with ``--full``.

Eight columns of numbers, four of codes, five of categories, a moment, a text and the target. The anchor is a plain loop over
the columns: each different cell is read once by the shipped runtime, counted, sorted for its quantiles and put into a
histogram; it knows no leaks, correlations, drift or doubled rows, and has the cells in memory. Where MODELYARD_PROFILE_PYTHON
names a Python with pandas (and ydata-profiling), these describe the same cells from a CSV. torch is loaded before, as it is
where jobs start.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import torch  # noqa: F401 - see above

from automl.contracts.job import JobLimits, JobSpec
from automl.contracts.table import COLUMNS_FILE, PROFILE_FILE, ROWS_FILE, ColumnRole, TableProfile, TableSchema
from benchmarks.harness import Claim, Options, cpu_seconds, main
from engine.run import run
from engine.table.guess import sample_places, table_guess
from runtime.cells import moments_of, numbers_of

PEER_PYTHON = "MODELYARD_PROFILE_PYTHON"
SECONDS = 60.0
"""That a million rows may take on two cores; here on one thread."""
_PEERS = Path(__file__).with_name("_profile_peers.py")


def measure(options: Options) -> list[Claim]:
    """Rows a second, beside the plain loop and the peers; and the seconds of a million."""
    num = options.pick(200_000, smoke=500, quick=100_000, full=1_000_000)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        table = make(num, seed=1)
        schema = write(folder, table)
        cpu_start, wall_start, load = cpu_seconds(), time.monotonic(), os.getloadavg()[0]
        if run(folder) != 0:
            raise RuntimeError((folder / "events.jsonl").read_text(encoding="utf-8").splitlines()[-1])
        cpu_s, wall_s = cpu_seconds() - cpu_start, time.monotonic() - wall_start
        profile = TableProfile.read(folder / "artefact" / PROFILE_FILE)
        assert profile.num_rows == num
        start = cpu_seconds()
        plainly(schema, table)
        plain_s = cpu_seconds() - start
        peers = {peer: _peer_seconds(peer, folder, table) for peer in ("pandas", "ydata")}
    sys.stderr.write(f"{num} rows: {cpu_s:.1f} s of processor, {wall_s:.1f} s of wall clock at load {load:.1f}\n")
    sys.stderr.write(f"warnings: {sorted((one.code.value, one.column) for one in profile.warnings)}\n")
    rate = num / cpu_s
    claims = [
        Claim("table_profile", f"rows/s/core, {num} rows, a plain loop", rate, num / plain_s, plain_s / cpu_s, 1.0),
        Claim("table_profile", "seconds of one core for 1M rows", cpu_s * 1e6 / num, SECONDS, cpu_s * 1e6 / num, SECONDS, True),
    ]
    for (peer, peer_s), target in zip(peers.items(), (0.5, 2.0), strict=True):
        if peer_s is not None:
            claims.append(Claim("table_profile", f"rows/s/core, {peer}", rate, num / peer_s, peer_s / cpu_s, target))
    return claims


def make(num: int, *, seed: int) -> pa.Table:
    """A table of strings; some cells are missing, one column is noise about the target."""
    rng = np.random.default_rng(seed)
    target = rng.random(num) < 0.3
    columns: dict[str, pa.Array] = {}
    for place in range(7):
        columns[f"number_{place}"] = pa.array(np.char.mod("%.5f", rng.normal(size=num) * 10 + target * place / 2))
    columns["after"] = pa.array(np.char.mod("%.3f", target + rng.normal(0, 0.05, num)))
    for place in range(4):
        codes = pa.array(rng.integers(0, 1_000, num)).cast(pa.string())
        columns[f"code_{place}"] = pa.array(np.where(rng.random(num) < 0.1, None, codes.to_numpy(zero_copy_only=False)))
    for place in range(5):
        columns[f"kind_{place}"] = pa.array([f"value {value}" for value in range(50)]).take(pa.array(rng.integers(0, 50, num)))
    columns["when"] = pa.array(np.datetime64("2020-01-01T00:00:00") + rng.integers(0, 10**8, num).astype("m8[s]")).cast(
        pa.string()
    )
    words = np.array([f"word{value}" for value in range(3_000)])
    columns["text"] = pa.array([" ".join(some) for some in words[rng.integers(0, 3_000, (num, 8))]])
    columns["target"] = pa.array(np.where(target, "yes", "no"))
    return pa.table(columns)


def write(folder: Path, table: pa.Table) -> TableSchema:
    """Lays the job as the platform does."""
    data = folder / "data"
    data.mkdir()
    look = pa.array(sample_places(table.num_rows, table.num_columns))
    guessed = table_guess(table.column_names, [table[name].take(look).to_pylist() for name in table.column_names])
    columns = [
        column.model_copy(update={"role": ColumnRole.TARGET}) if column.name == "target" else column
        for column in guessed.columns
    ]
    schema = TableSchema(columns=tuple(columns))
    schema.write(data / COLUMNS_FILE)
    written = pa.schema([(name, pa.string()) for name in ("row", "split", "annotations")])
    with pq.ParquetWriter(data / ROWS_FILE, written, compression="lz4") as writer:
        for batch in table.to_batches(max_chunksize=20_000):
            rows = [
                json.dumps(
                    {"cells": {name: cell for name, cell in row.items() if cell}}, ensure_ascii=False, separators=(",", ":")
                )
                for row in batch.to_pylist()
            ]
            splits = ["train" if place % 5 else "test" for place in range(len(rows))]
            annotations = [f'[{{"kind":"class","label":"{label}"}}]' for label in batch.column("target").to_pylist()]
            writer.write_table(pa.table([rows, splits, annotations], schema=written))
    JobSpec(
        id="job_profile",
        kind="profile",
        task="tabular_prediction",
        cache_dir=str(folder / "cache"),
        assets_dir=str(folder / "assets"),
        limits=JobLimits(num_threads=1),
    ).write(folder / "job.json")
    return schema


def plainly(schema: TableSchema, table: pa.Table) -> None:
    """The anchor: what one writes without Arrow."""
    for column in schema.columns:
        cells = table[column.name].to_pylist()
        Counter(cells).most_common(50)
        if column.kind == "number":
            values, _ = numbers_of(cells, column.decimal)
        elif column.kind == "datetime":
            values = moments_of(cells, column.datetime_format)[0].astype(float)
        else:
            continue
        there = values[~np.isnan(values)]
        np.quantile(there, [0.05, 0.25, 0.5, 0.75, 0.95])
        np.histogram(there, 30)
        len(np.unique(there))


def _peer_seconds(peer: str, folder: Path, table: pa.Table) -> float | None:
    """What a peer takes; None where it is not there."""
    python = os.environ.get(PEER_PYTHON)
    if not python:
        return None
    path = folder / "table.csv"
    if not path.exists():
        pa_csv.write_csv(table, path)
    found = subprocess.run([python, str(_PEERS), peer, str(path)], stdout=subprocess.PIPE, text=True, check=False)
    return float(found.stdout.split()[-1]) if found.returncode == 0 else None


if __name__ == "__main__":
    main(measure)
