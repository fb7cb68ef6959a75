"""Contracts that hold numbers of several kinds of items take a kind that has none of them, and never two at once."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from automl.contracts.base import Text
from automl.contracts.dataset import MediaFacts
from automl.contracts.family import SizeSpec

SIZE = {"name": "tiny", "title": Text(en="Tiny", zh="微型"), "num_parameters": 1, "macs": 1}


def test_a_kind_without_a_number_of_its_own_is_taken():
    assert MediaFacts(format="wav", size_bytes=44).model_dump() == {"width": 0, "height": 0, "format": "wav", "size_bytes": 44}
    assert SizeSpec.model_validate(SIZE).resolution_px == 0


@pytest.mark.parametrize(
    "numbers", [{"width": 2}, {"width": 2, "height": 2, "num_cells": 1}, {"num_characters": 0, "num_cells": 0}]
)
def test_facts_of_two_kinds_or_of_half_a_picture_are_refused(numbers):
    with pytest.raises(ValidationError, match="a picture has"):
        MediaFacts.model_validate({"format": "wav", "size_bytes": 44, **numbers})


def test_a_size_of_two_kinds_is_refused():
    with pytest.raises(ValidationError, match="size tiny takes pictures"):
        SizeSpec.model_validate({**SIZE, "resolution_px": 32, "max_tokens": 8})
