"""The library for C and C++ on other systems and processors: built here, run here, with ONNX Runtime of theirs."""

from __future__ import annotations

import platform
import sys

import pytest

from exporters.cpp_sdk.target import SPEC
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.foreign import SYSTEMS, selftests_on

IS_LINUX_X64 = (sys.platform, platform.machine()) == ("linux", "x86_64")
pytestmark = pytest.mark.skipif(not IS_LINUX_X64, reason="what runs programs of other systems is for Linux x64")


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_golden_samples_are_answered_there_as_by_the_trained_model(system, tmp_path):
    outputs = sorted(SPEC.accepts)
    artefacts = [artefact_write(tmp_path / output, output=output) for output in outputs]
    for output, shown in zip(outputs, selftests_on(system, artefacts, tmp_path), strict=True):
        assert shown.is_passed, output
        assert shown.num_samples == 3
        assert shown.max_difference <= shown.tolerance
        assert "onnxruntime 1.23.2" in shown.environment
