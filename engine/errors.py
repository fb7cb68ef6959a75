"""The engine's errors: data that crosses the process wall as a ``failed`` event, never a pickle.

Every class has a stable ``code`` that the platform may look at, a message for people and a hint what to do.
"""

from __future__ import annotations

import errno


class EngineError(Exception):
    """Base of all errors that a job reports by itself."""

    code = "engine_error"
    hint = "Look into the job's log."
    is_retryable = False

    def __init__(self, message: str, *, hint: str | None = None, items: tuple[str, ...] = ()):
        super().__init__(message)
        self.message = message
        self.hint = hint or type(self).hint
        self.items = items
        """Ids of the items that caused it, when known."""


class JobInvalidError(EngineError):
    """``job.json`` is missing, is none, or asks for something that is not there."""

    code = "job_invalid"
    hint = "Check the job's task, family, size and parameters."


class DataInvalidError(EngineError):
    """The dataset version cannot be trained on or judged."""

    code = "data_invalid"
    hint = "Mend the items named, take a new version and start again."


class OutOfMemoryError(EngineError):
    """The machine or the device has no memory left for this job."""

    code = "out_of_memory"
    hint = "Choose a smaller batch, a smaller picture size or a smaller model, or raise the job's memory limit."


class DiskFullError(EngineError):
    """A file could not be written because the disk or the quota is full, or because the system lets none be as large."""

    code = "disk_full"
    hint = "Free disk space, e.g. by deleting old versions or the cache folder, and start again."
    is_retryable = True


class DeviceError(EngineError):
    """The GPU or its driver does not work."""

    code = "device_failed"
    hint = "Train on the CPU, or check the GPU and its driver on the server."
    is_retryable = True


class LossNotFiniteError(EngineError):
    """Training diverged."""

    code = "nan_loss"
    hint = "Choose a lower learning rate; if that does not help, look for broken pictures."


class ParityError(EngineError):
    """The exported graph does not answer what the trained model answers."""

    code = "parity_failed"
    hint = "This is a defect of the export; please report it with the job's log."


class InternalError(EngineError):
    """Something that nobody foresaw; the log has the traceback."""

    code = "internal_error"
    hint = "This is a defect; please report it with the job's log."
    is_retryable = True


_FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# What torch's CPU and CUDA allocators and onnxruntime say; only CUDA's has a class of its own.
# Threads that cannot be started, as Arrow and Python say it, lack memory for their stacks.
_NO_MEMORY_WORDS = (
    "can't allocate memory",
    "out of memory",
    "failed to allocate memory",
    "bad_alloc",
    "failed to launch worker thread",
    "can't start new thread",
)
# What torch says when there is no driver, when it was built without one, and when a kernel or a library of the GPU fails.
_DEVICE_WORDS = ("cuda error", "nvidia driver", "not compiled with cuda", "cublas_status", "cudnn_status", "cuda driver")


def raise_if_scarce(error: Exception) -> None:
    """Where a file cannot be read: tells a lack of memory or of room from a file that is broken.

    Raises:
        OutOfMemoryError, DiskFullError: that was it.
    """
    known = as_engine_error(error)
    if isinstance(known, OutOfMemoryError | DiskFullError):
        raise known from error


def as_engine_error(error: Exception) -> EngineError:
    """Turns any exception into one that can be reported, by what it says rather than by who raised it."""
    if isinstance(error, EngineError):
        return error
    if isinstance(error, OSError) and error.errno in _FULL_DISK:
        return DiskFullError(f"Nothing more can be written: {error}")
    text = str(error)
    is_out_of_memory = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
    if is_out_of_memory or any(words in text.lower() for words in _NO_MEMORY_WORDS):
        return OutOfMemoryError(f"There is no memory left: {text or 'allocation failed'}")
    if any(words in text.lower() for words in _DEVICE_WORDS):
        return DeviceError(f"The GPU cannot be used: {text}")
    return InternalError(f"{type(error).__name__}: {text}")
