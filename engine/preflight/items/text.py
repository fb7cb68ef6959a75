"""Texts: whether they are UTF-8 and say something, whether characters stand for others, and copies among splits."""

from __future__ import annotations

import time

import numpy as np

from engine.data.text import TextUnreadableError, read_text
from engine.errors import EngineError
from engine.job import Job
from engine.preflight.items._found import Found
from engine.preflight.items.kind import Looked
from engine.preflight.part import VersionItems
from engine.quality.items.text.measure import measure, normalised


class Texts:
    """See ``FaultKind``."""

    def look(self, items: VersionItems, job: Job, *, time_s: float) -> Looked:
        """See ``FaultKind``."""
        found, ends_s = Found(), time.monotonic() + time_s
        blobs, names, splits = (items.table[name] for name in ("blob", "name", "split"))
        seen: dict[str, tuple[str, str]] = {}
        for place in items.unusual(np.arange(len(items))):
            if time.monotonic() > ends_s:
                break
            job.control.raise_if_stopped()
            item, name, blob = items.ids[place], names[place].as_py(), blobs[place].as_py()
            try:
                text = read_text(items.version.blob_path(blob), sha256=blob)
            except EngineError as error:
                found.refuse(item, name, error)
            except OSError as error:
                found.refuse(item, name, TextUnreadableError(f"{name} cannot be read: {error.strerror}."))
            else:
                measures = measure(text)
                if measures.garbling is not None:
                    found.advise("text_garbled", item, name)
                if not measures.num_letters:
                    found.advise("text_without_letters", item, name)
                split = splits[place].as_py()
                other = seen.setdefault(normalised(text), (split, blob))
                if other[0] != split and other[1] != blob:
                    found.advise("text_in_two_splits", item, name)
            found.num_read += 1
        return found.looked()


KIND = Texts()
