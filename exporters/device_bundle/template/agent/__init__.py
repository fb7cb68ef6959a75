"""The agent of this device: keeps its server running, its model current, and the platform informed. It needs Python alone."""

VERSION = 1
"""Of what it and the platform say to each other."""
