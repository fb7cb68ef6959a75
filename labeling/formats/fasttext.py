"""fastText: one text a line, with ``__label__name`` before it for each of its labels; a line without one is unlabelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from automl.contracts.annotation import AnnotationKind, ClassLabel
from automl.contracts.base import Text
from automl.contracts.dataset import Split
from automl.contracts.modality import Modality
from labeling.formats._files import split_named, text_of
from labeling.formats._reading import attach, complain, complaining, split_note
from labeling.formats._texts import Content, Names
from labeling.formats._values import label_text, made
from studio.datasets.files.formats import Facet, ParsedLabels

TITLE = Text.same("fastText")
KINDS: frozenset[AnnotationKind] = frozenset({"class"})
KEEPS = frozenset({Facet.SPLITS})
MEDIA = frozenset({Modality.TEXT})
CONTAINER_ENDINGS = (".txt", ".text", ".ft", ".train", ".valid", ".test")
"""Files that may hold many texts though their name does not say so."""

_MARK = "__label__"
_LOOKED_AT = 20


def is_label_file(name: str) -> bool:
    """What only fastText's files are called: others may be texts."""
    return name.lower().endswith((".ft", ".ft.txt"))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """A file most lines of which begin with a label."""
    del names
    for place in list(label_files)[:_LOOKED_AT]:
        if place.lower().endswith(CONTAINER_ENDINGS):
            lines = [line for line in text_of(label_files[place][:65_536]).splitlines()[:_LOOKED_AT] if line.strip()]
            if sum(line.startswith(_MARK) for line in lines) * 2 > len(lines):
                return 0.95
    return 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all lines; each becomes an item."""
    del names
    reading = ParsedLabels()
    places = sorted(name for name in label_files if name.lower().endswith(CONTAINER_ENDINGS))
    for place, name, labels, text in _lines(places, label_files):
        if not text:
            complain(reading, place, "text_blank")
            continue
        with complaining(reading, place, name):
            if labels:
                attach(reading, name, [made(ClassLabel, label=label_text(label)) for label in labels])
        split_note(reading, name, _split(place))
    reading.contents = _Texts(places, label_files)
    return reading


def _split(place: str) -> Split | None:
    return split_named(place.rpartition(":")[0])


class _Texts:
    """The texts in the files, read again when they are wanted."""

    def __init__(self, places: Sequence[str], label_files: Mapping[str, bytes]) -> None:
        self._places, self._files = places, label_files

    def __iter__(self) -> Iterator[Content]:
        for _, name, _, text in _lines(self._places, self._files):
            if text:
                yield name, text.encode("utf-8", "replace")


def _lines(places: Sequence[str], files: Mapping[str, bytes]) -> Iterator[tuple[str, str, list[str], str]]:
    """Place, name, labels and text of each line that is not empty."""
    free = Names()
    for place in places:
        for number, line in enumerate(text_of(files[place]).split("\n"), start=1):
            words = line.split()
            if not words:
                continue
            count = next((at for at, word in enumerate(words) if not word.startswith(_MARK)), len(words))
            text = line.split(None, count)[count].strip() if count < len(words) else ""
            name = free.row_name("", place, number)
            yield f"{place}:{number}", name, [word.removeprefix(_MARK) for word in words[:count]], text
