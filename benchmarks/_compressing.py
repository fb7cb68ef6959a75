"""A model is trained and made smaller by the engine's own jobs, for rows about compressed models."""

from __future__ import annotations

from pathlib import Path

from automl.contracts.compression import COMPRESSION_FILE, CompressionReport
from automl.contracts.job import CompressOrder, JobSpec, TrainConfig
from benchmarks._digits import ASSETS_DIR
from engine import run


def jobs_run(folder: Path, task: str, train: TrainConfig, order: CompressOrder, *, cache_dir: Path) -> CompressionReport:
    """Trains on the version in ``trained/data``, then compresses; leaves both jobs' folders, ``trained`` and ``compressed``.

    Raises:
        RuntimeError: a job failed; the text is its last event.
    """
    trained, compressed = folder / "trained", folder / "compressed"
    compressed.mkdir(parents=True)
    common = {"task": task, "device": "cpu", "cache_dir": str(cache_dir), "assets_dir": str(ASSETS_DIR)}
    JobSpec(id="job_train", kind="train", train=train, **common).write(trained / "job.json")
    JobSpec(id="job_compress", kind="compress", artefact="model", compress=order, **common).write(compressed / "job.json")
    (compressed / "data").symlink_to(trained / "data", target_is_directory=True)
    (compressed / "model").symlink_to(trained / "artefact", target_is_directory=True)
    for workdir in (trained, compressed):
        if run.run(workdir) != 0:
            raise RuntimeError((workdir / "events.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    return CompressionReport.read(compressed / "artefact" / COMPRESSION_FILE)
