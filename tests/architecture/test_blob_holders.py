"""No holder of a blob can be forgotten: what looks like a hash, and whoever puts bytes, is decided upon here."""

from __future__ import annotations

import ast
from pathlib import Path

from django.apps import apps
from django.db import models

from studio.common.app_config import hook_functions
from studio.common.blob_fields import BlobField, blob_fields

ROOT = Path(__file__).resolve().parents[2]
HOLD_NOTHING = {
    ("accounts", "AuditRow", "sha256"): "of the row itself",
    ("accounts", "AuditChain", "sha256"): "of a row of the audit",
    ("accounts", "AuditChain", "pruned_sha256"): "of a row of the audit",
    ("accounts", "ApiKey", "secret_sha256"): "of a secret",
    ("accounts", "SignInFailure", "account_sha256"): "of an address",
    ("accounts", "Invitation", "secret_sha256"): "of a secret",
    ("devices", "Device", "secret_sha256"): "of a secret",
    ("devices", "JoinCode", "secret_sha256"): "of a secret",
    ("datasets", "Upload", "sha256"): "what a client says; nothing is kept by it",
    ("datasets", "RowRevision", "blob"): "of a row of a table, which stands in `text`",
    ("deployments", "PredictionLog", "input_sha256"): "a file below serving/inputs, with a pruning of its own",
    ("deployments", "ShadowCall", "input_sha256"): "as above",
}
PUTS = {
    "platform/studio/datasets/uploads/examples.py": "Upload.blob",
    "platform/studio/datasets/items/kinds/": "Item.blob",
    "platform/studio/datasets/uploads/services.py": "Upload.blob",
    "platform/studio/deployments/exports.py": "Export.blob",
    "platform/studio/galleries/services.py": "GalleryEntry.blob",
    "platform/studio/predictions/parts.py": "PredictionPart.blob, within a job",
    "platform/studio/templates/services.py": "Template.blob",
    "labeling/branching/services.py": "Job.payload, by the hook blobs_referenced",
    "labeling/kinds/": "Item.blob, within a job",
}
"""Who puts bytes into the store, and what holds them then: a file, or any file of a folder."""


def test_every_column_that_looks_like_a_hash_is_a_blob_or_listed_as_none():
    suspects = {
        (model._meta.app_label, model.__name__, field.name)
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, models.CharField)
        and not isinstance(field, BlobField)
        and ((field.max_length == 64 and ("sha" in field.name or "hash" in field.name)) or "blob" in field.name)
    }
    assert suspects == set(HOLD_NOTHING)


def test_the_blobs_that_are_known():
    assert {str(field) for field in blob_fields()} == {
        "datasets.Upload.blob",
        "datasets.Item.blob",
        "deployments.Export.blob",
        "galleries.GalleryEntry.blob",
        "predictions.PredictionFile.blob",
        "predictions.PredictionPart.blob",
        "templates.Template.blob",
    }
    assert [function.__module__ for function in hook_functions("blobs_referenced")] == ["labeling.branching.services"]


def test_whoever_puts_bytes_has_a_holder():
    found = set()
    for folder in ("platform", "labeling"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name.startswith("blobs"):
                continue
            names = {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
            if names & {"put_bytes", "put_file", "put_stream"}:
                file = path.relative_to(ROOT).as_posix()
                found.add(next((place for place in PUTS if place.endswith("/") and file.startswith(place)), file))
    assert found == set(PUTS)


def test_blobs_are_removed_by_the_sweep_alone():
    found = set()
    for folder in ("platform", "labeling"):
        for path in (ROOT / folder).rglob("*.py"):
            names = {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
            if names & {"set_aside", "erase"}:
                found.add(str(path.relative_to(ROOT)))
    assert found == {"platform/studio/jobs/blob_sweep.py"}
