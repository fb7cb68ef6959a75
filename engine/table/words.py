"""Words of texts, the same outside a graph and inside.

A word is a run of letters and digits; of scripts without blanks (Chinese, Japanese, Thai) each character is one. In the graph
``Tokenizer`` finds them, an operator of onnxruntime's own (``com.microsoft``), since ONNX knows no regular expressions that
split; the ranges below are written out, so that Python's ``re`` and its RE2 agree. Lower and upper case are told apart
by both and made one by the vocabulary, which lists the forms of a word.

Shapes: N texts, D words of the longest text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.table.graph import CONTRIB, ML, GraphWriter

_LETTERS = (
    (0x30, 0x39),
    (0x41, 0x5A),
    (0x61, 0x7A),
    (0xAA, 0xAA),
    (0xB5, 0xB5),
    (0xBA, 0xBA),
    (0xC0, 0xD6),
    (0xD8, 0xF6),
    (0xF8, 0x2AF),  # Latin
    (0x370, 0x373),
    (0x376, 0x377),
    (0x386, 0x386),
    (0x388, 0x481),  # Greek, Cyrillic
    (0x48A, 0x52F),
    (0x531, 0x556),
    (0x561, 0x587),  # Armenian
    (0x5D0, 0x5EA),  # Hebrew
    (0x620, 0x669),  # Arabic, with its marks and digits
    (0x66E, 0x6D3),
    (0x6F0, 0x6FC),
    (0x900, 0x963),  # Devanagari, with its marks
    (0x966, 0x96F),
    (0x980, 0xDFF),  # other scripts of India
    (0x10A0, 0x10FF),  # Georgian
    (0x1100, 0x11FF),  # Hangul
    (0x1E00, 0x1FFF),
    (0xAC00, 0xD7A3),
)
_SINGLE = (
    (0xE01, 0xE5B),  # Thai
    (0x3041, 0x30FF),  # Kana
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3134F),
)
"""Characters that are words by themselves."""
_PYTHON = re.compile(
    "[{}]+|[{}]".format(*("".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in each) for each in (_LETTERS, _SINGLE)))
)
_RE2 = "[{}]+|[{}]".format(*("".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in each) for each in (_LETTERS, _SINGLE)))


def words_of(text: str) -> list[str]:
    """The words of a text, in order."""
    return _PYTHON.findall(text)


@dataclass(frozen=True)
class Vocabulary:
    """Words with a number each."""

    forms: dict[str, int]
    """The number of a word in each of its forms."""
    num_words: int
    """V. A word that is none of them has the number V."""

    @classmethod
    def learn(cls, texts: Sequence[list[str]], *, max_words: int, least_texts: int) -> Vocabulary:
        """Learns the words that stand in most texts, and in at least ``least_texts``; equally common ones by their letters."""
        counts = Counter(form.lower() for words in texts for form in set(words))
        common = sorted(
            (word for word, count in counts.items() if count >= least_texts), key=lambda word: (-counts[word], word)
        )
        numbers = {word: number for number, word in enumerate(common[:max_words])}
        forms = {form: number for word, number in numbers.items() for form in (word, word.capitalize(), word.upper())}
        forms |= {form: numbers[form.lower()] for words in texts for form in words if form.lower() in numbers}
        return cls(dict(sorted(forms.items())), len(numbers))

    def numbers_of(self, texts: Sequence[list[str]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of all words behind one another, and how many each text has."""
        counts_N = np.array([len(words) for words in texts], dtype=np.int64)
        get, unknown = self.forms.get, self.num_words
        flat = [get(word, unknown) for words in texts for word in words]
        return np.array(flat, dtype=np.int64), counts_N

    def write(self, graph: GraphWriter, texts: str) -> str:
        """Nodes that find the numbers of words.

        Args:
            graph: in the making.
            texts: name of a tensor of strings ``[batch]``.

        Returns:
            Name of the tensor ``[batch, D + 2]``, int64: V for a word unknown, V + 1 behind the last word of a text.
        """
        apart = graph.add("Tokenizer", [texts], domain=CONTRIB, mark=0, mincharnum=1, pad_value="", tokenexp=_RE2)
        numbers = graph.add(
            "LabelEncoder",
            [apart],
            domain=ML,
            keys_strings=["", *self.forms],
            values_int64s=[self.num_words + 1, *self.forms.values()],
            default_int64=self.num_words,
        )
        pads = [[0, 0], [0, 2]]
        return graph.add(
            "Pad",
            [
                numbers,
                graph.constant(np.array(pads, dtype=np.int64).T.reshape(-1)),
                graph.constant(np.array(self.num_words + 1)),
            ],
        )
