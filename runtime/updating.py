"""The command that gives an installed product another model: ``... update FILE`` and ``... update --rollback``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from .errors import RuntimeFault
from .responses import json_bytes
from .updates import InstalledModels


def main(models: InstalledModels, arguments: Sequence[str], *, prog: str) -> int:
    """Prints which model answers now as one line of JSON, or why it stays as it was.

    Args:
        models: of the product.
        arguments: of the command.
        prog: what people type for it.
    """
    parser = argparse.ArgumentParser(prog=prog, description="Replaces the model alone; its selftest comes before the switch")
    parser.add_argument("file", nargs="?", type=Path, help="the model update, as exported")
    parser.add_argument("--allow-other-labels", action="store_true", help="take a model with other labels, too")
    parser.add_argument("--rollback", action="store_true", help="go back to the model before")
    options = parser.parse_args(arguments)
    if (options.file is None) != options.rollback:
        parser.error("name a file, or --rollback")
    try:
        if options.rollback:
            current = models.roll_back()
        else:
            current = models.install(options.file, is_other_labels_allowed=options.allow_other_labels)
    except RuntimeFault as fault:
        refusal = {"code": fault.code, "title": fault.title, "detail": fault.detail, "hint": fault.hint}
        sys.stdout.write(json_bytes(refusal).decode() + "\n")
        return 1
    shown = {**asdict(current), "artefact_dir": str(current.artefact_dir)}
    sys.stdout.write(json_bytes(shown).decode() + "\n")
    return 0
