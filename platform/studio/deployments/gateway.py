"""Writes the files that the prediction server follows: one for each deployment, and the keys that may call.

::

    serving/deployments/<id>.json    what to serve
    serving/keys.json                who may call; hashes only
    serving/artefacts/<id>/          what the runtime needs of an artefact

Rows are the truth and the files a copy: each write reads the rows anew under a lock, so the last writer writes the newest
state, and ``serving_rebuild`` makes the whole folder right from nothing. A file whose content is right already is left alone,
since the server reloads what was touched.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Q

from automl.contracts.artefact import WEIGHTS_FILE
from automl.contracts.report import REPORT_FILE
from runtime.hashes import HASHES_FILE, ArtefactDamagedError, hashes_check, hashes_write
from studio.accounts.access import principal_of_key, secret_sha256
from studio.accounts.key_rules import keys_alive
from studio.accounts.models import Workspace
from studio.common.blob_store import folder_publish, partial_folder
from studio.deployments.calls import INTERNAL_KEY_ID
from studio.deployments.hooks import served_templates
from studio.deployments.models import Deployment
from studio.deployments.quota_use import limits_of
from studio.registry.models import Artefact
from studio.registry.selectors import artefact_folder

UNLOGGED_KEY_ID = "studio-unlogged"
"""Of calls that only ask what a model looks at: they are in no log, and none of their inputs is kept."""
MAX_BODY_BYTES = 16 * 1024 * 1024
NOT_SERVED = (WEIGHTS_FILE, REPORT_FILE)
"""Files of an artefact that the runtime never reads."""


def serving_rebuild() -> None:
    """Rebuilds the folder from the rows: at start, and now and then to repair it."""
    with _locked() as root:
        deployments = {each.id: each for each in _deployments()}
        for path in (root / "deployments").glob("*.json"):
            if path.stem not in deployments:
                path.unlink(missing_ok=True)
        for deployment in deployments.values():
            _deployment_write(root, deployment)
        _keys_write(root)
        served = {artefact.id for deployment in deployments.values() for artefact in models_of(deployment)}
        for folder in (root / "artefacts").glob("art_*"):
            if folder.name not in served:
                shutil.rmtree(folder, ignore_errors=True)


def deployment_publish(deployment_id: str) -> None:
    """Writes the present state of a deployment for the server; one that is gone is removed."""
    with _locked() as root:
        deployment = _deployments().filter(id=deployment_id).first()
        if deployment is None:
            (root / "deployments" / f"{deployment_id}.json").unlink(missing_ok=True)
            return
        _deployment_write(root, deployment)
        _keys_write(root)  # the first deployment of a workspace brings its internal key


def limits_publish(workspace_id: str) -> None:
    """Writes for the server how often the deployments of a workspace may still be called."""
    with _locked() as root:
        for deployment in _deployments().filter(workspace=workspace_id):
            _deployment_write(root, deployment)


def templates_publish(project_id: str) -> None:
    """Writes for the server by which templates the deployments of a project answer."""
    with _locked() as root:
        for deployment in _deployments().filter(project=project_id):
            _deployment_write(root, deployment)


def artefact_publish(artefact: Artefact) -> None:
    """Writes for the server how a model answers at present."""
    with _locked() as root:
        serving = Q(artefact=artefact) | Q(variants__artefact=artefact)
        for deployment in _deployments().filter(serving).distinct():
            _deployment_write(root, deployment)


def keys_publish() -> None:
    """Writes the present keys for the server."""
    with _locked() as root:
        _keys_write(root)


def internal_secret(workspace_id: str, *, is_logged: bool = True) -> str:
    """The key with which the platform itself calls the deployments of a workspace.

    Derived and not stored, so every process knows it and a new secret key of the installation replaces it.

    Args:
        workspace_id: whose deployments.
        is_logged: False gives the key whose calls are in no log.
    """
    purpose = "prediction" if is_logged else "unlogged"
    digest = hmac.new(settings.SECRET_KEY.encode(), f"{purpose}:{workspace_id}".encode(), hashlib.sha256)
    return f"my_internal_{digest.hexdigest()}"


def status_read(deployment_id: str) -> dict[str, Any] | None:
    """The latest status that the server wrote of a deployment; None when there is none."""
    try:
        status: dict[str, Any] = json.loads((_root() / "status" / f"{deployment_id}.json").read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return status


def thresholds_of(deployment: Deployment, artefact: Artefact | None = None) -> dict[str, float]:
    """Lowest score by label with which a model of the deployment answers: its own, where the deployment has none.

    Args:
        deployment: which.
        artefact: the model; None takes the first.
    """
    model = artefact or deployment.artefact
    known = set(model.facts.label_set.names)
    return {**model.answers_from, **{label: score for label, score in deployment.thresholds.items() if label in known}}


def models_of(deployment: Deployment) -> list[Artefact]:
    """Its models, the first one first."""
    return [deployment.artefact, *(variant.artefact for variant in deployment.variants.all())]


def _deployments() -> Any:  # noqa: ANN401 - a queryset; its type says nothing more
    rows = Deployment.objects.select_related("artefact").prefetch_related("variants__artefact")
    return rows.filter(project__deleted_at=None).order_by("id")


def _deployment_write(root: Path, deployment: Deployment) -> None:
    status = status_read(deployment.id) or {}
    is_damaged = status.get("code") == ArtefactDamagedError.code
    mended = [_artefact_place(root, artefact, is_damaged=is_damaged) for artefact in models_of(deployment)]
    path = root / "deployments" / f"{deployment.id}.json"
    _json_write(
        path,
        {
            "id": deployment.id,
            "slug": deployment.slug,
            "workspace": deployment.workspace_id,
            "project": deployment.project_id,
            **_model_fields(deployment, deployment.artefact),
            **_variants_fields(deployment),
            "state": deployment.desired,
            "keep_inputs": deployment.keep_inputs,
            "min_uncertainty": deployment.min_uncertainty,
            "max_body_bytes": MAX_BODY_BYTES,
            **limits_of(deployment.workspace_id),
            **_templates_fields(deployment),
        },
    )
    if is_damaged and any(mended):
        path.touch()  # the server loads again


def _model_fields(deployment: Deployment, artefact: Artefact) -> dict[str, object]:
    thresholds = thresholds_of(deployment, artefact)
    fields: dict[str, object] = {"artefact": artefact.id, "artefact_dir": f"artefacts/{artefact.id}"}
    fields["thresholds"] = thresholds or None
    if (coverage := artefact.covered_by) is not None:  # a file without it is that of an older version
        fields["coverage"] = coverage.model_dump(mode="json")
    return fields


def _variants_fields(deployment: Deployment) -> Mapping[str, object]:
    """Further models, where there are any: a file without them is that of an older version."""
    fields: dict[str, object] = {}
    variants = [each for each in deployment.variants.all() if not each.is_shadow]
    if variants:
        fields["variants"] = [{**_model_fields(deployment, each.artefact), "share": each.share} for each in variants]
    for each in deployment.variants.all():
        if each.is_shadow:
            fields["shadow"] = _model_fields(deployment, each.artefact)
    return fields


def _templates_fields(deployment: Deployment) -> Mapping[str, object]:
    """Those of the project, where there are any."""
    templates = served_templates(deployment.project_id)
    return {"templates": templates} if templates else {}


def _artefact_place(root: Path, artefact: Artefact, *, is_damaged: bool) -> bool:
    """Copies what the runtime reads: the server may run on a host that sees this folder and not the blob store.

    Args:
        root: of the serving folder.
        artefact: which.
        is_damaged: the server has refused the copy that lies there; it is replaced where the store still has the right bytes.

    Returns:
        Whether it was copied.
    """
    target = root / "artefacts" / artefact.id
    if target.is_dir() and not is_damaged:
        return False
    with partial_folder(root / "artefacts") as partial:
        ignored = shutil.ignore_patterns(*NOT_SERVED)
        shutil.copytree(artefact_folder(artefact), partial, ignore=ignored, dirs_exist_ok=True)
        names = [path.relative_to(partial).as_posix() for path in partial.rglob("*") if path.is_file()]
        if not (partial / HASHES_FILE).exists():  # of an older version: from here on at least
            hashes_write(partial, names)
        if is_damaged:
            try:
                hashes_check(partial, names)
            except ArtefactDamagedError:
                return False
            shutil.rmtree(target, ignore_errors=True)
        folder_publish(partial, target)
    return True


def _keys_write(root: Path) -> None:
    rows = [_key_row(key) for key in keys_alive().order_by("id")]
    serving = Workspace.objects.filter(id__in=_deployments().values("workspace_id")).order_by("id")
    rows += [
        {
            "sha256": secret_sha256(internal_secret(workspace.id, is_logged=is_logged)),
            "id": INTERNAL_KEY_ID if is_logged else UNLOGGED_KEY_ID,
            "workspace": workspace.id,
            "expires_at": None,
            "can_predict": True,
            "is_logged": is_logged,
        }
        for workspace in serving
        for is_logged in (True, False)
    ]
    _json_write(root / "keys.json", rows)


def _key_row(key: Any) -> dict[str, object]:  # noqa: ANN401 - a row with what ``keys_alive`` adds
    principal = principal_of_key(key)
    predicting = principal.access.sight("deployment.predict")
    is_allowed = principal.scope is None or "deployment.predict" in principal.scope.actions
    return {
        "sha256": key.secret_sha256,
        "id": key.id,
        "workspace": key.workspace_id,
        "expires_at": key.expires_at.isoformat() if key.expires_at else None,
        "can_predict": is_allowed and key.workspace_id in predicting.workspaces,
        "projects": dict.fromkeys(predicting.without, False) | dict.fromkeys(predicting.beside, is_allowed),
        "project": key.project or None,
        "deployment": key.deployment or None,
    }


def _json_write(path: Path, value: object) -> None:
    """Writes when the content differs; a reader sees the old file or the new one, never a part."""
    content = json.dumps(value, indent=1).encode()
    try:
        if path.read_bytes() == content:
            return
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(content)
    partial.replace(path)


def _root() -> Path:
    return Path(settings.SERVING_DIR)


@contextmanager
def _locked() -> Iterator[Path]:
    """One writer of the folder at a time, among all processes that see it."""
    root = _root()
    (root / "artefacts").mkdir(parents=True, exist_ok=True)
    with (root / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield root
