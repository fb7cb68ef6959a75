"""What people read, kept beside the code: ``words/<language>.json`` in a module's folder, sentences by key.

A module has ``words = Words(__file__)`` and says ``words("title")``, or ``words("tiny", name=name, side=side)``. Sentences name
values as ``str.format`` does: ``"{name} is only {side:,} pixels wide."`` Where there is a ``count``, a language may have a form
of its own for one: ``<key>_one`` beside ``<key>_other``, as in the web app. Another language is another file in each folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter

from automl.contracts.base import Text

FOLDER = "words"
ONE, OTHER = "_one", "_other"


class WordsError(LookupError):
    """A language lacks a sentence, or the sentence names a value that is not given."""


class Words:
    """The sentences of one folder, in all languages; files are read once a process, when the first sentence is asked for.

    Args:
        module_file: ``__file__`` of a module in that folder.
    """

    def __init__(self, module_file: str) -> None:
        self.folder = Path(module_file).with_name(FOLDER)

    def __call__(self, key: str, /, **values: object) -> Text:
        """The sentence of a key with its values, of which a ``Text`` is put in the sentence's language.

        Raises:
            WordsError: a language does not have it.
        """
        return Text(**{language: self._sentence(language, key, values) for language in _languages(self.folder)})

    def below(self, prefix: str) -> Iterator[str]:
        """What follows ``<prefix>.`` in the keys that begin so."""
        for key in _languages(self.folder)["en"]:
            if key.startswith(f"{prefix}."):
                yield key.removeprefix(f"{prefix}.")

    def names(self, key: str) -> frozenset[str]:
        """The values that a sentence names."""
        return frozenset(name for _, name, _, _ in Formatter().parse(_languages(self.folder)["en"][key]) if name is not None)

    def _sentence(self, language: str, key: str, values: Mapping[str, object]) -> str:
        sentences = _languages(self.folder)[language]
        template = sentences.get(key)
        if template is None and "count" in values:
            template = sentences.get(key + ONE) if values["count"] == 1 else None
            template = sentences.get(key + OTHER) if template is None else template
        if template is None:
            raise WordsError(f"{self.folder / language}.json has no {key!r}")
        texts = {name: value.in_language(language) if isinstance(value, Text) else value for name, value in values.items()}
        try:
            return template.format_map(texts)
        except KeyError as error:
            raise WordsError(f"{self.folder / language}.json: {key!r} names {error}, which is not given") from None


@cache
def _languages(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """Language -> key -> sentence."""
    found = {path.stem: json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))}
    if not found:
        raise WordsError(f"There are no sentences in {folder}")
    return found


def sentences(texts: Sequence[Text]) -> Text:
    """Several sentences, one behind the other, in each language."""
    joined = {language: "" if language == "zh" else " " for text in texts for language in text.model_dump()}
    return Text(**{language: space.join(text.in_language(language) for text in texts) for language, space in joined.items()})
