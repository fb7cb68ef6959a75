"""What a suggestion for a text hangs on: the head's scores for the text without each part, by the frozen encoder."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from labeling.assist.errors import EvidenceUnfitError, HeadMissingError, SearchStartingError
from labeling.assist.selectors import encoder_fetch
from labeling.assist.suggest import head_now
from runtime.items.text.erasure import erasures, text_parts, weighted_parts
from studio.common.blob_store import BlobMissingError
from studio.datasets.embeddings.similar import text_features, text_read
from studio.datasets.items.present import item_preview
from studio.datasets.models import Item


def item_evidence(item: Item, label: str | None) -> dict[str, Any]:
    """Finds what counted in a text for a label. Some fifty texts are read for it, which takes a second or a few.

    Args:
        item: with its dataset and project.
        label: as it was suggested; None takes the head's best.

    Returns:
        As ``runtime.explaining.item_explain`` does: parts of so much of the text as the encoder reads.

    Raises:
        EvidenceUnfitError: the item is no text.
        HeadMissingError: there is no head, or it does not know the label.
        SearchStartingError: the encoder is not there yet; a job that brings it has been started.
    """
    if item.text is None or item_preview(item).text is None:
        raise EvidenceUnfitError
    found = head_now(item.dataset)
    if found is None or label not in (None, *found[1].labels):
        raise HeadMissingError
    head = found[1]
    try:
        text = text_read(item.text)
        parts = text_parts(text)
        features_ND = np.stack([text_features(each) for each in erasures(text, parts)])
    except BlobMissingError as error:
        encoder_fetch(item.dataset)
        raise SearchStartingError from error
    scores_NL = head.scores(features_ND)
    column = int(scores_NL[0].argmax()) if label is None else head.labels.index(label)
    scores = scores_NL[:, column].tolist()
    segments = [asdict(part) for part in weighted_parts(text, parts, scores)]
    return {"label": head.labels[column], "score": scores[0], "segments": segments}
