"""The agent of this device: keeps its server running, its model current, and the platform informed. It needs Python alone."""

VERSION = 3
"""Of what it and the platform say to each other; 2 told galleries apart, and from 3 on it tells all that goes with a model."""
