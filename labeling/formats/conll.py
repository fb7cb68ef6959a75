"""CoNLL: one token a line with its tag in the last column, an empty line between sentences.

Read are IOB1, IOB2 and BIOES, with the mark before the label (``B-PER``) or behind it (``PER-B``). Tokens alone do not tell
where the spaces were, so a download has each text in a comment (``# text = ...``, as in CoNLL-U); without one, tokens are
joined by single spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import orjson

from automl.contracts.annotation import Annotation, AnnotationKind, Span
from automl.contracts.dataset import ItemRecord, LabelSet
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from labeling.formats._files import looked_into, split_named, text_of
from labeling.formats._reading import attach_all, complaining, split_note
from labeling.formats._texts import Content, Names, record_text, split_spools, spooled
from labeling.formats._values import LabelError, label_text, made
from studio.datasets.files.formats import ExportedFile, Facet, ParsedLabels, ReadBlob

words = Words(__file__)

TITLE = words("conll")
KINDS: frozenset[AnnotationKind] = frozenset({"span"})
KEEPS = frozenset({Facet.SPLITS, Facet.NEGATIVES})
MEDIA = frozenset({Modality.TEXT})

_MARKS = frozenset("BIOESLU")
_TOKEN = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")


def is_label_file(name: str) -> bool:
    """Files of tokens and tags."""
    return name.lower().endswith((".conll", ".bio", ".iob", ".iob2", ".conll2003"))


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """The suffix says it."""
    del names
    return 0.8 if any(True for _ in looked_into(label_files, ".conll", ".bio", ".iob", ".iob2", ".conll2003")) else 0.0


@dataclass
class _Sentence:
    """Tokens with their tags, and the text when it was told."""

    line: int
    tokens: list[tuple[str, str]] = field(default_factory=list)
    text: str | None = None
    name: str | None = None

    def placed(self) -> tuple[str, list[tuple[int, int]]]:
        """The text, and where in it each token stands."""
        text = " ".join(token for token, _ in self.tokens) if self.text is None else self.text
        places, at = [], 0
        for token, _ in self.tokens:
            start = text.find(token, at)
            if start < 0:
                raise LabelError("token_not_in_text")
            at = start + len(token)
            places.append((start, at))
        return text, places


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Reads all sentences; each becomes an item."""
    del names
    reading, free = ParsedLabels(), Names()
    places = sorted(name for name in label_files if is_label_file(name))
    for place in places:
        for index, sentence in enumerate(_sentences(label_files[place])):
            name = free.name(sentence.name, place, index)
            with complaining(reading, f"{place}:{sentence.line}", name):
                attach_all(reading, name, _spans(sentence))
            split_note(reading, name, split_named(place))
    reading.contents = _Texts(places, label_files)
    return reading


class _Texts:
    """The texts in the files, read again when they are wanted."""

    def __init__(self, places: Sequence[str], label_files: Mapping[str, bytes]) -> None:
        self._places, self._files = places, label_files

    def __iter__(self) -> Iterator[Content]:
        free = Names()
        for place in self._places:
            for index, sentence in enumerate(_sentences(self._files[place])):
                text = " ".join(token for token, _ in sentence.tokens) if sentence.text is None else sentence.text
                yield free.name(sentence.name, place, index), text.encode("utf-8", "replace")


def _sentences(data: bytes) -> Iterator[_Sentence]:
    sentence = _Sentence(line=1)
    for number, raw in enumerate(text_of(data).split("\n"), start=1):
        line = raw.rstrip("\r")
        if not line.strip():
            if sentence.tokens or sentence.text is not None:
                yield sentence
            sentence = _Sentence(line=number + 1)
        elif line.startswith("# text = ") and not sentence.tokens:
            sentence.text = _comment_text(line.removeprefix("# text = "))
        elif line.startswith("# file = ") and not sentence.tokens:
            sentence.name = _comment_text(line.removeprefix("# file = "))
        elif not line.startswith(("-DOCSTART-", "# ")):
            columns = line.split("\t") if "\t" in line else line.split()
            sentence.tokens.append((columns[0], columns[-1] if len(columns) > 1 else "O"))
    if sentence.tokens or sentence.text is not None:
        yield sentence


def _comment_text(text: str) -> str:
    """A comment's text: as JSON where it holds line breaks, else as it stands."""
    if text.startswith('"') and text.endswith('"'):
        try:
            found = orjson.loads(text)
        except orjson.JSONDecodeError:
            return text
        return found if isinstance(found, str) else text
    return text


def _mark(tag: str) -> tuple[str, str]:
    """Mark and label of a tag."""
    if len(tag) > 2 and tag[1] == "-" and tag[0] in _MARKS:
        return tag[0], tag[2:]
    if len(tag) > 2 and tag[-2] == "-" and tag[-1] in _MARKS:
        return tag[-1], tag[:-2]
    return ("O", "") if tag in {"O", "_", ""} else ("I", tag)


def _spans(sentence: _Sentence) -> list[Annotation]:
    _, places = sentence.placed()
    out: list[tuple[str, int, int]] = []
    label, start, end = "", 0, 0
    for (_, tag), (first, last) in zip(sentence.tokens, places, strict=True):
        mark, name = _mark(tag)
        is_new = mark in {"B", "S", "U"} or name != label
        if label and (mark == "O" or is_new):
            out.append((label, start, end))
            label = ""
        if mark != "O":
            start = first if not label else start
            label, end = name, last
    if label:
        out.append((label, start, end))
    spans = [(label_text(name.replace("\u00a0", " ")), first, last) for name, first, last in out]
    return [made(Span, label=name, start=a, end=b, id=f"span-{index}") for index, (name, a, b) in enumerate(spans)]


def write(records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob) -> Iterator[ExportedFile]:
    """Writes ``<split>.conll``; where spans overlap the earlier one is kept."""
    del labels
    spools = split_spools()
    for record in records:
        text = record_text(record, blob)
        spans = sorted((one for one in record.annotations if isinstance(one, Span)), key=lambda one: (one.start, -one.end))
        lines = [f"# file = {orjson.dumps(record.name).decode()}", f"# text = {orjson.dumps(text).decode()}"]
        lines += [f"{token}\t{tag}" for token, tag in _tagged(text, spans)]
        spools[record.split].add(("\n".join(lines) + "\n\n").encode())
    yield from spooled(spools, ".conll")


def _tagged(text: str, spans: Sequence[Span]) -> Iterator[tuple[str, str]]:
    """Tokens that no border of a span cuts, with their tags."""
    borders = sorted({edge for span in spans for edge in (span.start, span.end)})
    current, queue = None, list(spans)
    for found in _TOKEN.finditer(text):
        edges = [found.start(), *(edge for edge in borders if found.start() < edge < found.end()), found.end()]
        for first, last in pairwise(edges):
            while queue and queue[0].end <= first:
                queue.pop(0)
            span = queue[0] if queue and queue[0].start <= first < queue[0].end else None
            label = span.label.replace(" ", "\u00a0") if span else ""
            yield text[first:last], "O" if span is None else f"{'I' if span is current else 'B'}-{label}"
            current = span
