"""The agent of this device: keeps its server running, its model current, and the platform informed. It needs Python alone."""

VERSION = 2
"""Of what it and the platform say to each other; from 2 on it tells galleries apart."""
