"""Modelyard from Python: ``Client(url, key)`` and what hangs on it."""

from modelyard.batch import BatchPrediction, BatchResult
from modelyard.client import Client, Dataset, Project
from modelyard.deployment import Deployment, Prediction
from modelyard.errors import ApiError, JobFailedError, ModelyardError, UnreachableError
from modelyard.models import Model
from modelyard.progress import Progress
from modelyard.records import Item, Job, Refused, Uploaded, Version
from modelyard.studies import Study, Trial

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
    "Model",
    "ModelyardError",
    "Prediction",
    "Progress",
    "Project",
    "Refused",
    "Study",
    "Trial",
    "UnreachableError",
    "Uploaded",
    "Version",
]
