"""The Python client of Modelyard. ``Client(url, key)`` leads to projects, datasets, models and deployments."""

from modelyard.batch import BatchPrediction, BatchResult
from modelyard.client import Client, Dataset, Project
from modelyard.deployment import Deployment, Prediction
from modelyard.errors import ApiError, JobFailedError, ModelyardError, UnreachableError
from modelyard.models import Model
from modelyard.preflights import CheckedModel, CheckedStage, Preflight
from modelyard.progress import Progress
from modelyard.records import Item, Job, RefusedFile, UploadResult, Version
from modelyard.shelves import Pack, Shelf, ShelfCheck
from modelyard.studies import Cure, Study, Trial

Refused, Uploaded = RefusedFile, UploadResult
"""Earlier names, which programs may import."""

__all__ = [
    "ApiError",
    "BatchPrediction",
    "BatchResult",
    "CheckedModel",
    "CheckedStage",
    "Client",
    "Cure",
    "Dataset",
    "Deployment",
    "Item",
    "Job",
    "JobFailedError",
    "Model",
    "ModelyardError",
    "Pack",
    "Prediction",
    "Preflight",
    "Progress",
    "Project",
    "Refused",
    "RefusedFile",
    "Shelf",
    "ShelfCheck",
    "Study",
    "Trial",
    "UnreachableError",
    "UploadResult",
    "Uploaded",
    "Version",
]
