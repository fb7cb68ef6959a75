import json

import numpy as np
import pytest

from benchmarks.small_data import is_below, main, summary, table
from benchmarks.small_sets._small_set import aligned, measures_of_classes, measures_of_numbers


def _row(shipped, best, single, over, error):
    trials = {"1 a": {"accuracy": best, "log_loss": 0.5}, "2 b": {"accuracy": single, "log_loss": 0.6}}
    return {
        "kind": "tables",
        "name": "petals",
        "seed": 0,
        "measure": "accuracy",
        "num_training": 200,
        "num_test": 900,
        "study_s": 30.2,
        "load": 1.0,
        "shipped": {"accuracy": shipped, "log_loss": 0.4},
        "trials": trials,
        "best": "1 a",
        "single": "2 b",
        "baselines": {"svm": {"accuracy": shipped - over, "log_loss": 0.4}},
        "best_baseline": "svm",
        "over_baseline": over,
        "over_baseline_error": error,
    }


def test_summary_tells_of_the_best_candidate_the_single_choice_and_baselines():
    rows = [_row(80.0, 82.0, 78.0, -3.0, 1.0), _row(90.0, 89.0, 85.0, -1.0, 1.0)]
    below_best, over_single, below_hand = summary(rows)
    assert (below_best.ours, below_best.is_ok) == (0.5, True)
    assert (over_single.ours, over_single.is_ok) == (3.5, True)
    assert (below_hand.ours, below_hand.is_ok) == (1, False)
    assert [is_below(row) for row in rows] == [True, False]
    assert "-3.0 +- 1.0 below" in table(rows)


def test_measures_count_repeated_places_and_order_labels_as_the_set_has_them():
    scores_NL = aligned(np.array([[0.9, 0.1], [0.2, 0.8]]), ("dog", "cat"), ("cat", "cow", "dog"))
    np.testing.assert_allclose(scores_NL, [[0.1, 0.0, 0.9], [0.8, 0.0, 0.2]])
    assert measures_of_classes(scores_NL, np.array([2, 1]))["accuracy"] == 50.0
    measured = measures_of_numbers(np.array([1.0, 3.0]), np.array([1.0, 5.0]))
    assert measured == pytest.approx({"r2": 50.0, "rmse": 2.0**0.5})


def test_what_lies_in_the_folder_is_merged_and_not_run_again(tmp_path, capsys, monkeypatch):
    path = tmp_path / "tables-breast_cancer-0.json"
    path.write_text(json.dumps(_row(80.0, 82.0, 78.0, -3.0, 1.0)), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["small_data", "--kinds", "tables", "--only", "breast_cancer", "--folder", str(tmp_path)])
    main()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["ours"] for line in lines] == [2.0, 2.0, 1]
