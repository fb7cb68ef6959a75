"""The on-premise server with an agent: what a device needs to get its models from the platform and to serve without network."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from automl.contracts.family import IntParam, ParamValue
from automl.contracts.target import BuildReport, Target, TargetSpec, TextParam
from automl.contracts.words import Words
from exporters.bundle import known_pipelines, product_publish, tar_write, template_render
from exporters.onprem_server.target import SPEC as SERVER
from exporters.onprem_server.target import assemble, unpacked_check
from exporters.onprem_server.target import estimate as server_estimate
from exporters.sizes import fixed_tar_bytes

words = Words(__file__)

TEMPLATE = Path(__file__).with_name("template")

SPEC = TargetSpec(
    name="device_bundle",
    title=words("title"),
    summary=words("summary"),
    group="server",
    accepts=SERVER.accepts,
    pipelines=known_pipelines(),
    reads_forms=True,
    reads=SERVER.reads,
    options=(
        TextParam(
            name="name",
            title=words("name.title"),
            help=words("name.help"),
            pattern=r"[a-z][a-z0-9-]{0,39}",
            default="model",
        ),
        IntParam(
            name="port",
            title=words("port.title"),
            help=words("port.help"),
            low=1024,
            high=65535,
            default=8080,
        ),
    ),
    backends=SERVER.backends,
    commands=(
        "tar xzf {file}",
        "cd {name}-device",
        "./modelyard-edge join https://platform.example CODE",
        "./modelyard-edge run",
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-device.tar.gz`` and serves the golden samples from what is in it.

    Raises:
        ExportError: the artefact is not whole, or the product does not answer as the trained model did.
    """
    started_at = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / f"{options['name']}-device"
        product = Path(scratch) / f"{folder.name}.tar.gz"
        values = assemble(artefact_dir, folder, options, model)
        template_render(TEMPLATE, folder, values)
        for left in ("Dockerfile", ".dockerignore", "start.bat"):  # the agent is for Linux, as a service
            (folder / left).unlink()
        tar_write(folder, product)
        check = unpacked_check(product, folder.name, Path(scratch) / "unpacked", options)
        return product_publish(product, out_dir, target=SPEC.name, check=check, started_at=started_at)


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    return server_estimate(artefact_dir, options) + fixed_tar_bytes(TEMPLATE)


TARGET = Target(spec=SPEC, build=build, estimate=estimate)
