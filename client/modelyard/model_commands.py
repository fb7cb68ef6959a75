"""The commands around models: train, list, judge, deploy, export."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from modelyard.errors import ModelyardError
from modelyard.models import Model
from modelyard.options import client_of
from modelyard.studies import Study, settings_read
from modelyard.terminal import JobBar, StudyBar, size_text, table

GOALS = ("fastest", "fast", "balanced", "accurate", "most_accurate")
"""In order, from the fastest answers to the most accurate ones."""
MODEL_HELP = "its number; the one in production, else the newest, when absent"


def model_commands_add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type of it
    """Adds them to the command's parser."""
    _train_parser(commands.add_parser("train", help="start a study and wait for its best model"))

    models = commands.add_parser("models", help="list the models of a project")
    models.add_argument("project", help="id or name")
    models.set_defaults(run=_models)

    report = commands.add_parser("report", help="save the report of a model as an HTML page")
    report.add_argument("project", help="id or name")
    report.add_argument("--model", type=int, metavar="N", help=MODEL_HELP)
    report.add_argument("--output", metavar="FILE", help="where to; model-N.html when absent")
    report.set_defaults(run=_report)

    deploy = commands.add_parser("deploy", help="put a model behind an address")
    deploy.add_argument("project", help="id or name")
    deploy.add_argument("--model", type=int, metavar="N", help=MODEL_HELP)
    deploy.add_argument("--name", help="what people call it; the project's name when absent")
    deploy.add_argument("--slug", help="its part of the address; made of the name when absent")
    deploy.set_defaults(run=_deploy)

    export = commands.add_parser("export", help="build a package of a model for a target and save it")
    export.add_argument("project", help="id or name")
    export.add_argument("target", help="such as onprem_server, python_sdk, cpp_sdk, web_sdk, onnx_model")
    export.add_argument("--model", type=int, metavar="N", help=MODEL_HELP)
    export.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the target; may be repeated")
    export.add_argument("--gallery", metavar="ID", help="answer with the names of this gallery instead of with vectors")
    export.add_argument("--output", metavar="FILE", help="where to; the name of the package when absent")
    export.add_argument("--quiet", action="store_true", help="no progress bar")
    export.set_defaults(run=_export)


def _train_parser(train: argparse.ArgumentParser) -> None:
    train.add_argument("project", help="id or name")
    train.add_argument("--config", metavar="FILE", help="settings in YAML, TOML or JSON; what else is named here goes first")
    train.add_argument("--version", type=int, metavar="N", help="its number; the newest when absent, cut where there is none")
    train.add_argument("--goal", choices=GOALS, help="families, trials and what an answer may cost, where nothing is named")
    train.add_argument("--family", dest="families", action="append", metavar="NAME", help="only this one; may be repeated")
    train.add_argument("--trials", dest="max_trials", type=int, metavar="N", help="trials at most")
    train.add_argument("--minutes", type=float, metavar="M", help="time at most")
    train.add_argument("--objective", metavar="METRIC", help="the metric to improve")
    train.add_argument("--name", help="of the study")
    train.add_argument("--start-from", type=int, metavar="N", help="go on from this model")
    train.add_argument("--run", dest="study", metavar="ID", help="wait for one that was started before")
    train.add_argument("--no-wait", action="store_true", help="return once it has started")
    train.add_argument("--quiet", action="store_true", help="no progress bar")
    train.set_defaults(run=_train)


def _train(options: argparse.Namespace) -> int:
    with client_of(options) as client:
        study = client.study(options.study) if options.study else client.project(options.project).train(**_settings(options))
        if not options.study:
            print(
                f"{study.id} runs on the server, whatever happens here: --run {study.id} finds it again.",
                file=sys.stderr,
            )
        if options.no_wait:
            print(study.id)
            return 0
        ended = study.wait(progress=StudyBar(sys.stderr, is_quiet=options.quiet).show)
        model = ended.best_model()
        print(f"Model {model.number} ({model.family} {model.size}): {_value(ended)} on validation{_test(ended, model)}.")
        if ended.ended_by == "time_limit":
            print(f"The study ended by its time limit after {ended.num_trials} of {ended.max_trials} trials.")
    return 0


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    settings = settings_read(options.config) if options.config else {}
    names = ("version", "goal", "families", "max_trials", "objective", "name", "start_from")
    settings |= {name: value for name in names if (value := getattr(options, name)) is not None}
    if options.minutes is not None:
        settings["time_limit_s"] = options.minutes * 60
    return settings


def _value(study: Study) -> str:
    interval = study.best_interval
    between = "" if interval is None else f" ({interval[0]:.4g} to {interval[1]:.4g})"
    return f"{study.objective} {study.best_value:.4g}{between}"


def _test(study: Study, model: Model) -> str:
    value = model.metrics.get("test", {}).get(study.objective)
    return "" if value is None else f", {value:.4g} on test"


def _models(options: argparse.Namespace) -> int:
    with client_of(options) as client:
        rows = [
            (
                str(one.number),
                one.id,
                f"{one.family} {one.size}",
                one.stage,
                f"{one.latency_ms:.1f} ms",
                size_text(one.size_bytes),
            )
            for one in client.project(options.project).models()
        ]
    print(table(("MODEL", "ID", "FAMILY", "STAGE", "LATENCY", "SIZE"), rows))
    return 0


def _report(options: argparse.Namespace) -> int:
    with client_of(options) as client:
        model = client.project(options.project).model(options.model)
        path = model.save_report(options.output or f"model-{model.number}.html")
    print(f"{path}: {size_text(path.stat().st_size)}.")
    return 0


def _deploy(options: argparse.Namespace) -> int:
    with client_of(options) as client:
        project = client.project(options.project)
        model = project.model(options.model)
        deployment = model.deploy(options.name or project.name, slug=options.slug)
    print(f"Model {model.number} answers at {deployment.url}")
    return 0


def _export(options: argparse.Namespace) -> int:
    with client_of(options) as client:
        model = client.project(options.project).model(options.model)
        path = model.export(
            options.target,
            path=options.output,
            gallery=options.gallery,
            progress=JobBar(sys.stderr, is_quiet=options.quiet).show,
            **_option_values(client.targets(), options.target, options.option),
        )
    print(f"{path}: {size_text(Path(path).stat().st_size)}, model {model.number}, built and checked.")
    return 0


def _option_values(targets: Sequence[dict[str, Any]], target: str, named: Sequence[str]) -> dict[str, Any]:
    """The options as the target's kinds of values have them; what is unknown is left for the server to refuse.

    Raises:
        ModelyardError: one has no value, or one that is no number.
    """
    known = {option["name"]: option for one in targets if one["name"] == target for option in one["options"]}
    values: dict[str, Any] = {}
    for each in named:
        name, equals, text = each.partition("=")
        if not equals:
            raise ModelyardError(f"{each} has no value.", hint="Write --option NAME=VALUE.")
        values[name] = _typed(name, text, known.get(name, {}).get("default"))
    return values


def _typed(name: str, text: str, default: object) -> bool | float | str:
    try:
        if isinstance(default, bool):
            return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
        return type(default)(text) if isinstance(default, int | float) else text
    except (KeyError, ValueError):
        raise ModelyardError(f"{text!r} is no value of the option {name}.", hint=f"Such as {default}.") from None
