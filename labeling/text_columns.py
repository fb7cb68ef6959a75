"""Which column of a table holds the texts, which their labels, and whether the first row is a head.

Heads are known by their names. Where none is, the longest column is the texts, and a column of few short values that come again
and again is the labels; what is less clear than that is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from studio.datasets.files.table_options import TableColumns

SAMPLE_ROWS = 60
"""Number of rows that are sampled."""
OUR_HEAD = ("text", "label", "score", "split", "item", "name", "provenance")
"""Of a download."""

TEXT_HEADS = {
    *("text", "texts", "content", "contents", "sentence", "sentences", "review", "reviews", "review_text", "comment"),
    *("comments", "body", "document", "message", "tweet", "utterance", "query", "question", "post", "passage", "sms"),
    *(
        "description",
        "文本",
        "内容",
        "评论",
        "句子",
        "正文",
        "评价",
        "评论内容",
        "文本内容",
        "评价内容",
        "留言",
        "原文",
        "语句",
    ),
}
LABEL_HEADS = (
    *("label", "labels", "label_name", "class", "classes", "class_name", "category", "categories", "sentiment", "emotion"),
    *("polarity", "tag", "tags", "target", "topic", "intent"),
    *("标签", "类别", "分类", "情感", "情感倾向", "情感标签", "类目", "主题", "意图"),
)
"""The first of them that is there counts."""
_FILES = {"file", "filename", "file_name", "filepath", "image", "image_name", "image_path", "path", "文件", "文件名", "图片"}
_SPLITS = {"split", "subset", "set", "usage", "partition", "划分", "数据集"}
_SCORES = {"score", "confidence", "置信度"}
_IDS = {"id", "index", "idx", "no", "number", "序号", "编号"}

_NUMBER = re.compile(r"[-+]?[\d.,:/%eE-]+")
_FILE = re.compile(r"\S+\.\w{2,5}")
_TEXT_CHARS = 4
"""A column of shorter cells on average is no text: 很好 is a label rather than a review."""
_LABEL_CHARS = 32
_HEAD_CHARS = 16
_HEAD_RATIO = 2.0
"""How many times shorter a column's head is than its texts."""
_REPEATED = 0.5
"""Labels come again: so many different ones a row at most."""

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class TextColumns:
    """Where things stand in a row, counted from 0."""

    text: int
    label: int | None = None
    score: int | None = None
    split: int | None = None
    name: int | None = None
    switches: tuple[tuple[int, str], ...] = ()
    """Columns of 0 and 1, one a label."""
    width: int = 0
    """Columns of the head; 0 without one."""
    is_ours: bool = False
    """Whether the table is a download, so that an empty label says: looked at, and none fits."""
    is_named: bool = False
    """Whether the text's column is known by its head."""


def text_columns(rows: Rows, *, has_head: bool | None = None, chosen: TableColumns | None = None) -> TextColumns | None:
    """The columns of a table from its first rows, none of them empty; None when no column holds texts.

    Args:
        rows: the first ones.
        has_head: whether the first one names the columns; None: it tells by itself.
        chosen: the columns that a person says hold the texts and their labels; the rows have them.
    """
    if not rows:
        return None
    found = _found(rows, has_head)
    if chosen is None:
        return found
    places = {chosen.text, chosen.label} - {None}
    others = found or TextColumns(text=chosen.text)
    if has_head is None:
        is_named = chosen.label is not None and len(rows) > 2 and _is_head(rows, chosen.text, chosen.label)
        has_head = others.width > 0 or is_named
    return TextColumns(
        text=chosen.text,
        label=chosen.label,
        score=None if others.score in places else others.score,
        split=None if others.split in places else others.split,
        name=None if others.name in places else others.name,
        width=len(rows[0]) if has_head else 0,
        is_ours=others.is_ours and chosen.label == others.label,
        is_named=True,
    )


def _found(rows: Rows, has_head: bool | None) -> TextColumns | None:
    """The columns by their heads, else by what stands in them."""
    if has_head is False:
        return _guessed(rows, has_head)
    head = [cell.strip().strip("\ufeff").lower() for cell in rows[0]]
    texts = [at for at, name in enumerate(head) if name in TEXT_HEADS]
    label = next((head.index(name) for name in LABEL_HEADS if name in head), None)
    if not texts and any(name in _FILES for name in head):
        return None  # a table of files
    if not texts and label is None:
        return _guessed(rows, has_head)
    split, score = (next((at for at, name in enumerate(head) if name in known), None) for known in (_SPLITS, _SCORES))
    excluded = {label, split, score, *(at for at, name in enumerate(head) if name in _IDS)}
    text = max(texts, key=lambda at: _length(_column(rows[1:], at))) if texts else _longest(rows[1:], excluded)
    if text is None:
        return None
    is_ours = tuple(head[: len(OUR_HEAD)]) == OUR_HEAD
    others = [at for at in range(len(head)) if at not in {*texts, split, score} and head[at] not in _IDS and head[at]]
    switches = [(at, rows[0][at].strip()) for at in others] if label is None and _are_switches(rows[1:], others) else []
    return TextColumns(
        text=text,
        label=label,
        score=score if is_ours else None,
        split=split,
        name=head.index("name") if is_ours else None,
        switches=tuple(switches),
        width=len(head),
        is_ours=is_ours,
        is_named=bool(texts),
    )


def _guessed(rows: Rows, has_head: bool | None) -> TextColumns | None:
    """The columns of a table whose heads say nothing, if it has any."""
    text = _longest(rows, set())
    if text is None:
        return None
    body = rows[1:] if len(rows) > 2 and has_head is not False else rows
    others = [at for at in range(max(map(len, rows))) if at != text and _are_labels(_column(body, at))]
    label = others[0] if len(others) == 1 else None
    if has_head is None:
        has_head = label is not None and len(rows) > 2 and _is_head(rows, text, label)
    return TextColumns(text=text, label=label, width=len(rows[0]) if has_head else 0)


def _is_head(rows: Rows, text: int, label: int) -> bool:
    """Whether the first row names the columns: a short word over texts, and over labels one that is none of them."""
    first = [rows[0][at].strip() if at < len(rows[0]) else "" for at in (text, label)]
    is_short = 0 < len(first[0]) <= _HEAD_CHARS and _length(_column(rows[1:], text)) >= _HEAD_RATIO * len(first[0])
    return is_short and first[1] not in _column(rows[1:], label)


def _column(rows: Rows, at: int) -> list[str]:
    """The cells of a column that are not empty."""
    return [row[at].strip() for row in rows if at < len(row) and row[at].strip()]


def _length(cells: Sequence[str]) -> float:
    return sum(map(len, cells)) / max(len(cells), 1)


def _longest(rows: Rows, excluded: set[int | None]) -> int | None:
    """The column with the longest cells, among those of words."""
    found = [(at, _column(rows, at)) for at in range(max(map(len, rows), default=0)) if at not in excluded]
    found = [(at, cells) for at, cells in found if _length(cells) >= _TEXT_CHARS and not _are_no_words(cells)]
    return max(found, key=lambda one: _length(one[1]))[0] if found else None


def _are_no_words(cells: Sequence[str]) -> bool:
    return sum(bool(_NUMBER.fullmatch(cell) or _FILE.fullmatch(cell)) for cell in cells) * 2 > len(cells)


def _are_labels(cells: Sequence[str]) -> bool:
    different = set(cells)
    is_counted = len(different) == len(cells) and all(_NUMBER.fullmatch(cell) for cell in cells)
    return 0 < len(different) <= max(2, _REPEATED * len(cells)) and _length(cells) <= _LABEL_CHARS and not is_counted


def _are_switches(rows: Rows, columns: Sequence[int]) -> bool:
    cells = [cell for at in columns for cell in _column(rows, at)]
    return len(columns) > 1 and bool(cells) and all(cell in {"0", "1", "0.0", "1.0"} for cell in cells)
