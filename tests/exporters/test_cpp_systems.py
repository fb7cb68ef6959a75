"""The library for C and C++ on other systems and processors: built here, run here, with ONNX Runtime of theirs."""

from __future__ import annotations

import platform
import sys

import pytest

from exporters.cpp_sdk.target import SPEC
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.difficult_texts import words_artefact_write
from tests.exporters.foreign import SYSTEMS, selftests_on

IS_LINUX_X64 = (sys.platform, platform.machine()) == ("linux", "x86_64")
pytestmark = pytest.mark.skipif(not IS_LINUX_X64, reason="what runs programs of other systems is for Linux x64")


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_golden_samples_are_answered_there_as_by_the_trained_model(system, tmp_path):
    outputs = sorted(SPEC.accepts)
    artefacts = [artefact_write(tmp_path / output, output=output) for output in outputs]
    artefacts.append(words_artefact_write(tmp_path / "words"))
    checks = selftests_on(system, artefacts, tmp_path)
    assert [shown.num_samples for shown in checks] == [3] * len(outputs) + [100]
    for output, shown in zip([*outputs, "words"], checks, strict=True):
        assert shown.is_passed, output
        assert shown.max_difference <= shown.tolerance
        assert "onnxruntime 1.23.2" in shown.environment
