#!/usr/bin/env python3
"""The one command line of the platform."""

from __future__ import annotations

import sys
from pathlib import Path

# platform/ is a source root, never a package: see platform/README.md.
sys.path.insert(0, str(Path(__file__).resolve().parent / "platform"))

from studio.config.command import main

if __name__ == "__main__":
    main()
