"""Two vectors for each text: from the frozen encoder that says what it means, and from its n-grams, which need no weights.

Shapes: N texts, D features of the encoder, E features of n-grams.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer

from automl.contracts.quality import VECTORS_FILE
from engine import reader
from engine.assets.fetch import AssetMissingError
from engine.errors import DataInvalidError
from engine.job import Job
from engine.models import family_spec
from engine.quality.writing import HANDMADE

FAMILY, SIZE, MAX_TOKENS = "text_probe", "multilingual", 128
"""Those of the platform's stored embeddings, which are taken where there are any."""
_SLOTS = 2**16
_WIDTH = 128
_CHARACTERS = 2_000


def vectors_of(
    job: Job, texts: Sequence[str], handmade_NE: NDArray[np.float32], on_progress: Callable[[int, int], None]
) -> tuple[str, NDArray[np.float32]]:
    """What made the vectors, the asset or ``handmade``, and the vectors ``_ND``.

    Those that came with the job are taken, the others computed. Without the encoder's weights all are those of n-grams, since
    vectors of two kinds cannot be compared.

    Args:
        job: its folder and store are read.
        texts: N of them.
        handmade_NE: vectors of their n-grams.
        on_progress: called after each batch that is computed; may raise to end the work.
    """
    path = job.data_dir / VECTORS_FILE
    stored_ND = np.load(path).astype(np.float32) if path.exists() else None
    if stored_ND is not None and len(stored_ND) != len(texts):
        raise DataInvalidError(f"{VECTORS_FILE} has {len(stored_ND)} rows for {len(texts)} items.")
    asset = str(family_spec(FAMILY).size(SIZE).asset)
    lacking = np.arange(len(texts)) if stored_ND is None else np.flatnonzero(np.isnan(stored_ND).any(axis=1))
    if stored_ND is not None and not len(lacking):
        return asset, stored_ND
    try:
        encoder = reader.load(
            FAMILY,
            SIZE,
            max_tokens=MAX_TOKENS,
            assets_dir=job.assets_dir,
            cache_dir=job.cache_dir,
            num_threads=job.spec.limits.num_threads,
        )
    except AssetMissingError:
        return HANDMADE, handmade_NE
    done = 0
    for rows, features_BD in encoder.features([texts[row] for row in lacking.tolist()]):
        if stored_ND is None:
            stored_ND = np.empty((len(texts), features_BD.shape[1]), dtype=np.float32)
        stored_ND[lacking[rows]] = features_BD
        done += len(rows)
        on_progress(done, len(lacking))
    assert stored_ND is not None
    return asset, stored_ND


def ngrams(texts: Sequence[str], *, seed: int) -> NDArray[np.float32]:
    """Vectors ``_NE`` of weighted n-grams of one to three characters, on their main axes (latent semantic analysis)."""
    counter = HashingVectorizer(analyzer="char", ngram_range=(1, 3), n_features=_SLOTS, alternate_sign=False, norm=None)
    counts_NF = counter.transform([text[:_CHARACTERS] for text in texts])
    weighted_NF = TfidfTransformer(sublinear_tf=True).fit_transform(counts_NF)
    width = min(_WIDTH, len(texts) - 1)
    if width < 1:  # nothing to compare with
        return np.ones((len(texts), 1), dtype=np.float32)
    with np.errstate(invalid="ignore"):  # of texts that are all the same it cannot say how much it explains
        found_NE = TruncatedSVD(width, n_iter=4, random_state=seed).fit_transform(weighted_NF)
    return np.asarray(found_NE, dtype=np.float32)
