"""Modelyard from Python: ``Client(url, key)`` and what hangs on it."""

from modelyard.batch import BatchPrediction, BatchResult
from modelyard.client import Client, Dataset, Project
from modelyard.deployment import Deployment, Prediction
from modelyard.errors import ApiError, JobFailedError, ModelyardError, UnreachableError
from modelyard.progress import Progress
from modelyard.records import Item, Job, Refused, Uploaded, Version

__all__ = [
    "ApiError",
    "BatchPrediction",
    "BatchResult",
    "Client",
    "Dataset",
    "Deployment",
    "Item",
    "Job",
    "JobFailedError",
    "ModelyardError",
    "Prediction",
    "Progress",
    "Project",
    "Refused",
    "UnreachableError",
    "Uploaded",
    "Version",
]
