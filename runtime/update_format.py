"""Names in the file of a model update; who writes one needs nothing else of the runtime."""

UPDATE_FILE = "update.json"
ARTEFACT_DIR = "artefact"
FORMAT = 1
"""Of updates that this runtime understands; newer ones are refused."""
