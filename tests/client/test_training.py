"""Training, judging, deploying and exporting through the client package and the command, against the real platform."""

from __future__ import annotations

import zipfile

import pytest

from modelyard import ApiError, ModelyardError
from modelyard.cli import main
from modelyard.studies import settings_read
from modelyard.terminal import StudyBar

pytestmark = pytest.mark.timeout(300)


def test_a_study_is_what_its_file_and_the_command_said(trained):
    (study,) = trained.studies()
    assert (study.state, study.has_ended, study.num_trials, study.max_trials) == ("succeeded", True, 1, 1)
    assert {name: study.settings[name] for name in ("families", "seed", "objective")} == {
        "families": ["linear_probe"],
        "seed": 3,
        "objective": "accuracy",
    }
    (trial,) = study.trials()
    assert (trial.state, trial.family) == ("succeeded", "linear_probe")
    assert study.wait(timeout_s=5).best_model() == trained.model()
    assert study.cures() == study.cures(trial=trial.id) == []
    with pytest.raises(ModelyardError, match="Nothing is known that cures"):
        study.cure()
    low, high = study.best_interval
    assert low <= study.best_value <= high
    assert StudyBar.line(study).startswith(f"[{'#' * 30}] 1 of 1 trials, succeeded, best accuracy ")


def test_a_training_is_checked_before_it_starts(trained):
    check = trained.preflight(families=["linear_probe"], max_trials=1, seed=3).wait(timeout_s=200)
    (model,) = check.models
    assert (check.verdict, check.cures) == ("runs", ())
    assert [stage.outcome for stage in model.stages] == ["passed"] * 5
    assert 0 < check.least_s < check.estimated_s < check.most_s
    assert check.time_basis == "derived", "that it learns once more in the end was not tried"
    assert check.memory_bytes == model.memory_bytes
    assert len(list(trained.studies())) == 1


def test_its_model_is_judged_deployed_and_exported(site, trained, new, tmp_path, capsys, monkeypatch):
    model = trained.model(1)
    assert 0.5 < model.metrics["test"]["accuracy"] <= 1
    assert model.evaluate(trained.version(1)).keys() >= {"accuracy"}
    assert model.promote("candidate", reason="first").stage == "candidate"
    deployment = model.deploy("Digits of the client")
    assert deployment.predict(new[0]).label in trained.labels
    monkeypatch.chdir(tmp_path)
    signed_in = ["--url", site.url, "--key", site.key]
    assert main([*signed_in, "report", trained.id]) == 0
    assert "<html" in (tmp_path / "model-1.html").read_text()
    assert main([*signed_in, "models", trained.id]) == 0
    assert "linear_probe " in capsys.readouterr().out
    assert main([*signed_in, "export", trained.id, "python_sdk", "--option", "package=digit_reader", "--quiet"]) == 0
    (wheel,) = tmp_path.glob("digit_reader*.whl")
    with zipfile.ZipFile(wheel) as files:
        assert any(name.endswith("model.onnx") for name in files.namelist())


def test_settings_that_nobody_knows_are_refused_before_anything_starts(trained, tmp_path, capsys):
    with pytest.raises(ModelyardError, match="no setting max_trails"):
        trained.train(max_trails=8)
    with pytest.raises(ApiError):
        trained.train(max_trials=0)
    with pytest.raises(ModelyardError, match="no model 99"):
        trained.train(start_from=99)
    for name, text, message in (
        ("a.txt", "max_trials: 8", "no file of settings"),
        ("a.yaml", "max_trials: [", "cannot be read"),
        ("a.json", "[1]", "holds no settings"),
        ("b.yaml", "8: max_trials", "holds no settings"),
        ("a.toml", None, "No such file"),
    ):
        if text is not None:
            (tmp_path / name).write_text(text)
        with pytest.raises(ModelyardError, match=message):
            settings_read(tmp_path / name)
    assert len(list(trained.studies())) == 1


def test_the_same_settings_in_three_forms(tmp_path):
    (tmp_path / "a.yaml").write_text("families: [resnet]\nmax_trials: 8\n")
    (tmp_path / "a.toml").write_text('families = ["resnet"]\nmax_trials = 8\n')
    (tmp_path / "a.json").write_text('{"families": ["resnet"], "max_trials": 8}')
    assert [settings_read(tmp_path / name) for name in ("a.yaml", "a.toml", "a.json")] == [
        {"families": ["resnet"], "max_trials": 8}
    ] * 3
