"""An export target: one folder below ``exporters/``, exported as ``TARGET`` from its ``target.py``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from automl.contracts.base import Contract, Text
from automl.contracts.family import ChoiceParam, FloatParam, IntParam, ParamValue
from automl.contracts.modality import Modality
from automl.contracts.task import OutputKind


class TextParam(Contract):
    """A word that a person types, such as a package's name."""

    kind: Literal["text"] = "text"
    name: str
    title: Text
    help: Text
    pattern: str
    """Regular expression that the whole value matches."""
    default: str


Option = Annotated[FloatParam | IntParam | ChoiceParam | TextParam, Field(discriminator="kind")]


TargetGroup = Literal["server", "library", "format", "update"]
"""What is handed out: what serves, code for a program, the model in another format, or a model for what is installed."""


class TargetSpec(Contract):
    """What the platform knows of a target: enough for the deployments page to draw its form."""

    name: str
    """Equals the folder's name."""
    title: Text
    summary: Text
    group: TargetGroup
    accepts: frozenset[OutputKind]
    reads: frozenset[Modality]
    """What the models that it ships may read."""
    pipelines: frozenset[str] = frozenset()
    """Kinds of pipelines that it runs, of those that a manifest names."""
    reads_forms: bool = False
    """Whether its products answer with the fields of forms, by the templates that lie with a model of lines."""
    options: tuple[Option, ...] = ()
    tools: tuple[str, ...] = ()
    """Programs that the build needs on PATH."""
    backends: tuple[str, ...] = ()
    """Names of those backends of the runtime that compute as the product does: what was measured with one of them on a machine
    is what to expect of the product there. Empty: it computes with something else, of which nothing is measured."""
    commands: tuple[str, ...] = ()
    """How to try what was built, a line of a shell each; ``{file}`` is the file handed out, ``{name}`` an option."""

    @property
    def items(self) -> frozenset[str]:
        """The same as ``reads`` by the names of kinds of items, which the ``decode`` of artefacts has."""
        return frozenset(modality.items for modality in self.reads)


class MissingTools(Contract):
    """What a build for a target needs and this installation does not have, and what brings it."""

    names: tuple[str, ...] = ()
    """Of programs and packages; none: it can build."""
    extra: str = ""
    """Of our own package, which brings those packages that can be installed beside ours."""
    variable: str = ""
    """Of the environment, that names the Python of another installation, where packages cannot be installed beside ours."""


class CheckResult(Contract):
    """What the replay of the golden samples showed."""

    num_samples: int
    max_difference: float
    tolerance: float
    is_passed: bool
    environment: str
    """Interpreter and runtime that replayed, e.g. ``python 3.11, onnxruntime 1.31.1``."""
    in_place_of: str = ""
    """The product's own library, such as ``Core ML``, where that does not run on the machine that built: another one computed
    what the product's files say."""


class BuildReport(Contract):
    """What a build left."""

    target: str
    file: str
    """The one file to hand out, relative to the build's folder."""
    size_bytes: int = Field(ge=0)
    sha256: str
    check: CheckResult
    duration_s: float


@dataclass(frozen=True)
class Target:
    """A spec and the function that builds it.

    ``build(artefact_dir, out_dir, options, model)`` leaves one file below ``out_dir`` and has replayed the
    golden samples with it. ``model`` is the id by which the product's answers name the model; None takes the manifest's.
    ``estimate(artefact_dir, options)`` gives the bytes that this file will have, about, without building anything.
    ``missing()`` says which packages a build lacks here; programs of ``spec.tools`` are looked for by ``exporters.build``.
    """

    spec: TargetSpec
    build: Callable[[Path, Path, dict[str, ParamValue], str | None], BuildReport]
    estimate: Callable[[Path, dict[str, ParamValue]], int]
    missing: Callable[[], MissingTools] = MissingTools


def options_with_defaults(spec: TargetSpec, given: dict[str, Any]) -> dict[str, ParamValue]:
    """Completes a target's options.

    Raises:
        ValueError: an option that the target does not know; the message lists those it knows.
    """
    known = {param.name: param.default for param in spec.options}
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise ValueError(f"{spec.name} does not know {', '.join(unknown)}; known: {', '.join(known) or 'none'}")
    return {**known, **given}
