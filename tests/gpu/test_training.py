"""Every family that takes gradient steps takes them on CUDA, and its losses are those of the CPU.

``python -m pytest --noconftest tests/gpu`` runs where nothing of the web platform is installed; where no package registry is
reached either, ``MODELYARD_ASSETS`` names a store that has the tokenizers.
"""

from __future__ import annotations

import math
import os
import shutil
from pathlib import Path

import pytest
import torch

from automl.contracts.family import FamilySpec, FeatureKind
from automl.contracts.job import JobSpec
from engine.models import families_for
from engine.tasks import task_names, task_spec
from tests.engine.jobs import brief_order, events, fill_store, losses, make_job, run_here

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")]
CLOSE = 0.25
"""Of the first epoch's loss: dropout draws other numbers on CUDA, and bf16 computes."""


def _takes_steps(family: FamilySpec) -> bool:
    """Not those that are computed at once, on the host."""
    return family.yields is not FeatureKind.ROWS and any(param.name == "epochs" for param in family.params)


CASES = [(task, each.name) for task in task_names() for each in families_for(task_spec(task)) if _takes_steps(each)]


def _job(workdir: Path, task: str, family: str, device: str) -> Path:
    order = brief_order(task, family)
    owner = order.pop("store_of", None)
    assets = workdir / "assets" if owner is None else fill_store(workdir / "assets", owner, order["size"])
    for folder in Path(os.environ.get("MODELYARD_ASSETS", workdir)).glob("*_tokenizer"):
        shutil.copytree(folder, assets / folder.name)
    job = make_job(workdir / "job", cache_dir=workdir / "cache", assets_dir=assets, **order)
    JobSpec.read(job / "job.json").model_copy(update={"device": device}).write(job / "job.json")
    return job


@pytest.mark.parametrize(("task", "family"), CASES)
def test_a_family_learns_as_on_the_cpu(tmp_path, task, family):
    before = torch.cuda.memory_stats().get("allocation.all.allocated", 0)
    job = _job(tmp_path / "cuda", task, family, "cuda")
    assert run_here(job) == 0, events(job)[-1]
    assert torch.cuda.memory_stats()["allocation.all.allocated"] > before, "nothing was computed there"
    beside = _job(tmp_path / "cpu", task, family, "cpu")
    assert run_here(beside) == 0, events(beside)[-1]
    found = losses(job)
    assert found, "it took no step"
    assert all(map(math.isfinite, found))
    assert found[0] == pytest.approx(losses(beside)[0], rel=CLOSE)
