"""One model, four verbs: setup, decode, predict, encode.

What it reads and what it answers are kinds of their own (``items``, ``answers``), and so is what runs it (``backends``): this
module asks for none by name. Whoever wants more cores runs ``predict`` from several threads.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .annotations import Annotation, Answer
from .answers import Answers, answers_kind
from .backends import USUAL, Backend, Graph, GraphError, backend_kind
from .coverage import Coverage, coverage_open
from .errors import ArtefactUnreadableError
from .facts import Reference
from .hashes import ArtefactDamagedError, hashes_check
from .items import Items, items_kind
from .items.kind import Decoded, Feeds
from .pipelines import Pipeline, model_open
from .templates import Template, TemplateInvalidError, templates_in

MANIFEST_FILE = "artefact.json"
MODEL_FILE = "model.onnx"
KNOWN_SCHEMA = 1

logger = logging.getLogger(__name__)


class Predictor:
    """A model that is ready to answer. ``predict`` may be called from several threads at once."""

    items: Items
    """How its items are read."""
    answers: Answers
    """What its answers are."""

    backend: type[Backend]
    """What runs the graph."""
    _graph: Graph | Pipeline

    def __init__(self) -> None:
        self.labels: tuple[str, ...] = ()
        self.thresholds: dict[str, float] = {}
        self.manifest: dict[str, Any] = {}
        """What the artefact says of itself."""
        self.tolerance = 0.0
        self.coverage: Coverage | None = None
        """By which answers say whether to ask a person, or how far off a number may be; None where nobody chose that."""
        self.reference: Reference | None = None
        """What the items were like that it was judged on; None of older artefacts, and of a product's copy."""
        self.templates: dict[str, Template] = {}
        """Those that lie with the artefact, by slug."""

    def setup(self, artefact_dir: Path, backend: str | type[Backend] = USUAL) -> None:
        """Loads the model and runs it once, so that the first answer is as fast as the others.

        Args:
            artefact_dir: the artefact.
            backend: what runs its graph, by name or the class itself.

        Raises:
            ArtefactDamagedError: a file is not the one that was written.
            ArtefactUnreadableError: one is missing or broken, the artefact is of a kind this runtime does not know, or the
                backend cannot run it.
        """
        try:
            self.backend = backend_kind(backend) if isinstance(backend, str) else backend
            hashes_check(artefact_dir, (MANIFEST_FILE, *self.backend.files))
            self._read_manifest(json.loads((artefact_dir / MANIFEST_FILE).read_bytes()), artefact_dir)
            files = tuple(self.manifest.get("files", ()))
            hashes_check(artefact_dir, files)
            self._graph = model_open(artefact_dir, files, self.backend, self.manifest["outputs"][0]["name"])
            self._warm_up()
            self.templates = templates_in(artefact_dir)
            self.reference = _reference(artefact_dir)
        except ArtefactDamagedError:
            raise
        except (GraphError, TemplateInvalidError) as error:
            raise ArtefactUnreadableError(f"{artefact_dir.name}: {error}") from error
        except (OSError, ValueError, KeyError, IndexError, TypeError, ImportError) as error:
            raise ArtefactUnreadableError(f"{artefact_dir.name}: {error!r}") from error

    def decode(self, data: bytes) -> Decoded:
        """Reads one item as a dataset keeps it: a picture's file, a text in UTF-8, a row as JSON.

        Raises:
            RuntimeFault: it is none, or a broken one; the error's code says which.
        """
        return self.items.decode(data)

    def predict(self, decoded: Decoded) -> NDArray[np.float32]:
        """Answers one item: a score a label in the order of ``labels``, one number, or rows of boxes (see ``answers``)."""
        answer: NDArray[np.float32] = self.predict_many(decoded)[0]
        return answer

    def predict_many(self, decoded: Decoded) -> NDArray[np.float32]:
        """Answers all that was decoded in one piece, an item along the first axis."""
        return self.run(self.items.feeds(decoded))

    def run(self, feeds: Feeds) -> NDArray[np.float32]:
        """Answers the graph's own tensors, items along the first axis, in as many runs as the kind of items asks for.

        Raises:
            GraphError: the graph cannot take their values.
        """
        num_items = len(next(iter(feeds.values())))
        at_once = self.items.num_at_once(feeds) if num_items > 1 else 1
        answers = [
            self._graph.run({name: feed[first : first + at_once] for name, feed in feeds.items()})
            for first in range(0, num_items, at_once)
        ]
        whole: NDArray[np.float32] = answers[0] if len(answers) == 1 else np.concatenate(answers)
        return whole

    def encode(
        self,
        answer: NDArray[np.float32],
        decoded: Decoded,
        *,
        top: int | None = None,
        threshold: float | None = None,
        thresholds: Mapping[str, float] | None = None,
    ) -> Sequence[Annotation]:
        """Turns the answer to an item into annotations, best first.

        Args:
            answer: what ``predict`` gave.
            decoded: the item.
            top: at most so many annotations; None takes what is usual for the kind of answers.
            threshold: lowest score for every label; None takes ``thresholds``.
            thresholds: lowest score by label; None takes the model's own.
        """
        lowest = self.thresholds if thresholds is None else thresholds
        most = self.answers.default_top if top is None else top
        return self.answers.encode(answer, decoded, top=most, threshold=threshold, thresholds=lowest)

    def judge(
        self, answer: NDArray[np.float32], thresholds: Mapping[str, float] | None = None
    ) -> tuple[dict[str, object] | None, float | None]:
        """The best annotation in short, whether or not it passes its threshold, and how unsure the model is, 0..1.

        A detector that sees nothing has no best label. Of a number there is its value, and nothing says how sure it is.
        """
        lowest = self.thresholds if thresholds is None else thresholds
        return self.answers.best(answer, lowest), self.answers.uncertainty(answer, lowest)

    def beside(
        self, answer: NDArray[np.float32], thresholds: Mapping[str, float] | None = None, coverage: Coverage | None = None
    ) -> dict[str, object]:
        """What stands beside the annotations of an item: ``ask_a_person`` and ``possible_labels``, or ``interval``.

        Args:
            answer: what ``predict`` gave.
            thresholds: lowest score by label; None takes the model's own.
            coverage: what was chosen; None takes the model's own. Where there is none either, nothing stands there.
        """
        chosen = self.coverage if coverage is None else coverage
        if chosen is None:
            return {}
        return chosen.beside(answer, self.answers.best(answer, self.thresholds if thresholds is None else thresholds))

    def answer(
        self, answer: NDArray[np.float32], decoded: Decoded, *, top: int | None = None, threshold: float | None = None
    ) -> Answer:
        """What ``encode`` and ``beside`` give by what the model says itself; arguments as of ``encode``."""
        annotations = list(self.encode(answer, decoded, top=top, threshold=threshold))
        return cast("Answer", {"annotations": annotations, **self.beside(answer)})

    def passing(
        self, answer: NDArray[np.float32], decoded: Decoded, thresholds: Mapping[str, float] | None = None
    ) -> Sequence[Annotation]:
        """What the model holds to be there, whatever the caller asked to see."""
        return self.answers.passing(answer, decoded, self.thresholds if thresholds is None else thresholds)

    def _read_manifest(self, manifest: dict[str, Any], artefact_dir: Path) -> None:
        if manifest["schema_version"] != KNOWN_SCHEMA:
            raise ValueError(f"artefact schema {manifest['schema_version']}, this runtime knows {KNOWN_SCHEMA}")
        decode, inputs = manifest["decode"], [each["name"] for each in manifest["inputs"]]
        answers, items = answers_kind(manifest["output"]), items_kind(decode["kind"])
        self.manifest = manifest
        self.labels = tuple(label["name"] for label in manifest["label_set"]["labels"])
        self.thresholds = {str(label): float(score) for label, score in manifest["thresholds"].items()}
        self.tolerance = float(manifest["tolerance"])
        hashes_check(artefact_dir, items.files(decode))
        self.items = items(decode, inputs, artefact_dir)
        self.answers = answers(self.labels)
        self.coverage = coverage_open(manifest["output"], manifest.get("coverage"), self.labels)

    def _warm_up(self) -> None:
        item = self.items.typical()
        answer = self.predict(item)
        self.answers.check(answer)
        self.encode(answer, item)


def _reference(artefact_dir: Path) -> Reference | None:
    """A model whose reference cannot be read answers all the same."""
    try:
        return Reference.open(artefact_dir)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        logger.warning("%s: the reference cannot be read: %r", artefact_dir.name, error)
        return None
