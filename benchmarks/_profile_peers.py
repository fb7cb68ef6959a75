"""The side of ``benchmarks.table_profile`` that others' packages are on: pandas and ydata-profiling describe a CSV.

Run by the Python that MODELYARD_PROFILE_PYTHON names; nothing of ours is imported.

    python _profile_peers.py pandas FILE.csv     prints the seconds of processor time
    python _profile_peers.py ydata FILE.csv
"""

from __future__ import annotations

import os
import sys
import time

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TQDM_DISABLE": "1"})

import pandas as pd


def describe(path: str) -> None:
    """What one writes by hand: describe, commonest values, quantiles, histograms, rank correlations of 20,000 rows."""
    frame = pd.read_csv(path, parse_dates=["when"])
    frame.describe(include="all")
    frame.isna().sum()
    frame.duplicated().sum()
    for name in frame:
        column = frame[name]
        column.nunique()
        if column.dtype.kind in "if":
            column.quantile([0.05, 0.25, 0.5, 0.75, 0.95])
            pd.cut(column, 30).value_counts()
        else:
            column.value_counts().head(50)
    frame.sample(min(20_000, len(frame)), random_state=0).corr(method="spearman", numeric_only=True)


def ydata(path: str) -> None:
    """Its minimal report, without correlations and interactions."""
    from ydata_profiling import ProfileReport

    frame = pd.read_csv(path, parse_dates=["when"])
    ProfileReport(frame, minimal=True, progress_bar=False, pool_size=1).get_description()


if __name__ == "__main__":
    start = time.process_time()
    {"pandas": describe, "ydata": ydata}[sys.argv[1]](sys.argv[2])
    print(time.process_time() - start)
