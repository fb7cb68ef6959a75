"""A model family: one folder below ``engine/models/``, exported as ``FAMILY`` from its ``family.py``."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from automl.contracts.base import Contract, Text, left_out
from automl.contracts.modality import Modality

ParamValue = bool | int | float | str


class FeatureKind(StrEnum):
    """What a family yields and a task consumes."""

    VECTOR = "vector"
    """Numbers for the whole item, a fixed number of them."""
    PYRAMID = "pyramid"
    BOXES = "boxes"
    """Boxes with scores, before those that say the same are struck out: the family is a whole detector."""
    MASKS = "masks"
    """Logits of each pixel for each label and for none of them: the family is a whole segmenter."""
    INSTANCES = "instances"
    """Boxes with scores as ``BOXES``, and the mask of the object in each: the family is a whole detector."""
    ANOMALIES = "anomalies"
    """How far each place of an item is from what normal items look like: the family learns from normal items alone."""
    EMBEDDING = "embedding"
    """Numbers for the whole item from which training makes a direction: the family learns which items are alike."""
    TEXT_LINES = "text_lines"
    """Where lines of text are in a picture, and what they say: the family is a whole reader, of two networks."""
    TOKENS = "tokens"
    ROWS = "rows"

    @property
    def is_calibrated(self) -> bool:
        """Whether models answer with scores of labels, which what was held back sets right."""
        return self is FeatureKind.VECTOR

    @property
    def has_mean(self) -> bool:
        """Whether several models can answer together with the mean of their scores."""
        return self is FeatureKind.VECTOR

    @property
    def has_telling_curves(self) -> bool:
        """Whether learning curves say early how good a model will be.

        How fast the error of boosted trees falls is a matter of their learning rate, and says nothing of where it ends.
        """
        return self is not FeatureKind.ROWS


class FloatParam(Contract):
    """A real number between ``low`` and ``high``."""

    kind: Literal["float"] = "float"
    name: str
    title: Text
    help: Text
    low: float
    high: float
    is_log: bool = False
    default: float

    @model_validator(mode="after")
    def _default_is_in_range(self) -> FloatParam:
        if not self.low <= self.default <= self.high:
            raise ValueError(f"default of {self.name} lies outside {self.low}..{self.high}")
        return self


class IntParam(Contract):
    """A whole number between ``low`` and ``high``, both included."""

    kind: Literal["int"] = "int"
    name: str
    title: Text
    help: Text
    low: int
    high: int
    is_log: bool = False
    default: int

    @model_validator(mode="after")
    def _default_is_in_range(self) -> IntParam:
        if not self.low <= self.default <= self.high:
            raise ValueError(f"default of {self.name} lies outside {self.low}..{self.high}")
        return self


class ChoiceParam(Contract):
    """One of several values without an order."""

    kind: Literal["choice"] = "choice"
    name: str
    title: Text
    help: Text
    choices: tuple[ParamValue, ...] = Field(min_length=1)
    choice_titles: dict[str, Text] = Field(default={}, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """What people read in place of choices that do not speak for themselves, by their text."""
    default: ParamValue
    is_searched: bool = Field(default=True, exclude_if=lambda value: value, json_schema_extra=left_out)
    """Whether a search tries all choices; else it keeps the default, and only a person chooses another."""

    @model_validator(mode="after")
    def _default_and_titles_are_of_choices(self) -> ChoiceParam:
        if self.default not in self.choices:
            raise ValueError(f"default of {self.name} is none of its choices")
        if strange := sorted(self.choice_titles.keys() - {str(choice) for choice in self.choices}):
            raise ValueError(f"{self.name} has a title for {strange[0]}, which is none of its choices")
        return self


Param = Annotated[FloatParam | IntParam | ChoiceParam, Field(discriminator="kind")]


class SizeSpec(Contract):
    """One size of a family."""

    name: str
    title: Text
    resolution_px: int = Field(default=0, ge=0)
    """Side of the square picture that the network sees; 0 of a family that sees none."""
    max_tokens: int = Field(default=0, ge=0, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Tokens of a text that the network reads, the rest is cut off; 0 of a family that reads none."""
    max_rows: int = Field(default=0, ge=0, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Rows of a table that it learns from, drawn evenly where there are more; 0 of a family that reads no tables."""
    num_parameters: int = Field(ge=0)
    """Numbers that training may change; 0 where the data decide how many there are."""
    macs: int = Field(ge=0)
    """Multiply-accumulates of the products and convolutions of one forward pass at ``resolution_px`` or ``max_tokens``."""
    asset: str | None = None
    """Card of the pretrained weights below ``engine/assets``; None trains from scratch."""
    is_searched: bool = Field(default=True, exclude_if=lambda value: value, json_schema_extra=left_out)
    """Whether a search tries it by itself; else it is trained where a person names it."""

    @model_validator(mode="after")
    def _takes_one_kind_of_item(self) -> SizeSpec:
        """A kind of items whose models all read as much of each needs none of the numbers."""
        if [self.resolution_px > 0, self.max_tokens > 0, self.max_rows > 0].count(True) > 1:
            raise ValueError(f"size {self.name} takes pictures (resolution_px), texts (max_tokens) or rows (max_rows)")
        return self


class Cost(Contract):
    """What one training step of one sample needs, as an estimate."""

    memory_bytes: int = Field(ge=0)
    flops: int = Field(ge=0)
    fixed_bytes: int = Field(default=0, ge=0)
    """Memory that does not grow with the samples, besides the weights that a size counts."""


class FirstTrial(Contract):
    """A trial that has proven itself and goes before any search."""

    rank: int
    """Its place among the first trials of all families of a task: the smaller, the earlier; by what it teaches for its time."""
    rank_if_short: int | None = None
    """The same where a study's time is short: what tries the others itself goes before them. None: the same rank."""
    size_index: int = 0
    """Of the family's sizes; where there are fewer, the trial is left out."""
    params: Mapping[str, ParamValue] = {}
    """Values that differ from the defaults."""
    params_if_small: Mapping[str, ParamValue] = {}
    """Values that override ``params`` when the version is small."""
    is_for_rare: bool | None = None
    """Only where a label is rare, or only where none is; None: always."""


class FamilySpec(Contract):
    """What the platform knows of a family without loading torch."""

    name: str
    """Equals the folder's name."""
    title: Text
    summary: Text
    reads: Modality
    """What the items must be made of."""
    yields: FeatureKind
    is_frozen: bool = False
    """True when the backbone is not trained: features are computed once and cached."""
    is_probed_first: bool = Field(default=False, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """True when the head is fitted on the pretrained features before everything is trained: a head that starts from nothing
    spoils them (Kumar et al. 2022, https://arxiv.org/abs/2202.10054)."""
    is_ensemble: bool = Field(default=False, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """True when its model is several models whose answers are put together: it takes the time of them all."""
    can_continue: bool = Field(default=False, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """True where training can begin with the weights of an earlier model of the same size (``TrainConfig.start_from``): the
    family is trained by gradient steps."""
    preference: int = Field(default=0, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Of trials that the evidence does not tell apart, the one of the family with the largest is kept: 2 where a pretrained
    network adapts to the data, 1 where a head learns on its features or many models answer together, 0 of what learns from the
    data alone."""
    sizes: tuple[SizeSpec, ...] = Field(min_length=1)
    """In order of cost; the first is the default."""
    params: tuple[Param, ...]
    """The search space; the names are understood by the family's own training code."""
    first_trials: tuple[FirstTrial, ...] = Field(default=(), exclude=True)
    """None: it is tried with its defaults after the families that have some. Not part of what the API shows."""
    licences: tuple[str, ...] = ()
    """Licences of pretrained weights, as SPDX ids."""

    @property
    def is_searched(self) -> bool:
        """Whether a search tries it by itself; else it is trained where a person names it."""
        return any(size.is_searched for size in self.sizes)

    def searched(self) -> FamilySpec:
        """The family with the sizes that a search tries by itself; where there are none, with its default."""
        sizes = tuple(size for size in self.sizes if size.is_searched)
        return self.model_copy(update={"sizes": sizes or self.sizes[:1]})

    def size(self, name: str) -> SizeSpec:
        """Finds a size by name.

        Raises:
            ValueError: there is none; the message lists those there are.
        """
        for size in self.sizes:
            if size.name == name:
                return size
        raise ValueError(f"{self.name} has no size {name!r}; known: {', '.join(s.name for s in self.sizes)}")
