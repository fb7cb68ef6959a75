"""Finds export targets by listing folders, and builds with them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import ChoiceParam, FloatParam, IntParam, ParamValue
from automl.contracts.target import BuildReport, MissingTools, Option, Target, TargetSpec, TextParam, options_with_defaults
from exporters.bundle import manifest_read
from exporters.errors import (
    ItemsNotReadError,
    OptionInvalidError,
    OutputNotAcceptedError,
    PipelineNotRunError,
    TargetUnknownError,
    ToolMissingError,
)
from exporters.licences import licences_check

HERE = Path(__file__).parent


def target_names(*, reads: str | None = None) -> tuple[str, ...]:
    """The folders that hold a target, in order.

    Args:
        reads: only those that ship models of this kind of items; None: all.
    """
    names = tuple(sorted(path.parent.name for path in HERE.glob("*/target.py")))
    return names if reads is None else tuple(name for name in names if reads in target_find(name).spec.items)


def target_find(name: str) -> Target:
    """Finds a target by name.

    Raises:
        TargetUnknownError: there is none; the message lists those there are.
    """
    if name not in target_names():
        raise TargetUnknownError(f"there is no target {name!r}; known: {', '.join(target_names())}")
    target = import_module(f"exporters.{name}.target").TARGET
    assert isinstance(target, Target)
    return target


def tools_missing(target: Target) -> MissingTools:
    """Programs and packages that a build for a target needs and this installation does not have; imports none of them."""
    found = target.missing()
    programs = tuple(tool for tool in target.spec.tools if shutil.which(tool) is None)
    return found.model_copy(update={"names": (*programs, *found.names)})


def options_checked(spec: TargetSpec, options: Mapping[str, Any]) -> dict[str, ParamValue]:
    """Completes a target's options and checks their values.

    Raises:
        OptionInvalidError: one is unknown, or its value is not allowed.
    """
    try:
        values = options_with_defaults(spec, dict(options))
    except ValueError as error:
        raise OptionInvalidError(str(error)) from error
    for option in spec.options:
        if not _is_allowed(option, values[option.name]):
            raise OptionInvalidError(f"{option.name} cannot be {values[option.name]!r}: {option.help.en}")
    return values


def artefact_check(spec: TargetSpec, manifest: ArtefactManifest) -> None:
    """Checks that a target can ship a model.

    Raises:
        ItemsNotReadError: it cannot ship models that read such items.
        OutputNotAcceptedError: it cannot ship models with such answers.
        PipelineNotRunError: it cannot run what the model does around its graph.
        LicenceRefusedError: the licence of a part forbids it.
    """
    if manifest.decode.kind not in spec.items:
        raise ItemsNotReadError(f"{spec.name} cannot ship a model that reads items of the kind {manifest.decode.kind!r}")
    if manifest.output not in spec.accepts:
        raise OutputNotAcceptedError(f"{spec.name} cannot ship a model that gives {manifest.output}")
    if manifest.pipeline is not None and manifest.pipeline not in spec.pipelines:
        raise PipelineNotRunError(f"{spec.name} cannot ship a model that answers by {manifest.pipeline!r}")
    licences_check(manifest.licences)


def build(
    target: str, artefact_dir: Path, out_dir: Path, options: Mapping[str, Any], *, model: str | None = None
) -> BuildReport:
    """Builds an artefact for a target and checks the result against its golden samples.

    Args:
        target: name of the target.
        artefact_dir: the artefact.
        out_dir: where the product goes.
        options: of the target; those that are not given have their defaults.
        model: the id by which answers name the model; None takes that of its trial.

    Raises:
        ExportError: its subclass and code say what is wrong.
    """
    found = target_find(target)
    checked = options_checked(found.spec, options)
    artefact_check(found.spec, manifest_read(artefact_dir))
    missing = [tool for tool in found.spec.tools if shutil.which(tool) is None]
    if missing:
        raise ToolMissingError(f"{target} needs {', '.join(missing)}")
    out_dir.mkdir(parents=True, exist_ok=True)
    return found.build(artefact_dir, out_dir, checked, model)


def estimate(target: str, artefact_dir: Path, options: Mapping[str, Any]) -> int:
    """How large what ``build`` hands out will be, about, in bytes; nothing is built, converted or started.

    Raises:
        ExportError: as ``build``, as far as it shows beforehand.
    """
    found = target_find(target)
    checked = options_checked(found.spec, options)
    artefact_check(found.spec, manifest_read(artefact_dir))
    return found.estimate(artefact_dir, checked)


def _is_allowed(option: Option, value: object) -> bool:
    match option:
        case ChoiceParam():
            return any(value == choice and type(value) is type(choice) for choice in option.choices)
        case TextParam():
            return isinstance(value, str) and re.fullmatch(option.pattern, value) is not None
        case IntParam():
            return isinstance(value, int) and not isinstance(value, bool) and option.low <= value <= option.high
        case FloatParam():
            return isinstance(value, int | float) and not isinstance(value, bool) and option.low <= value <= option.high
