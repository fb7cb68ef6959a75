"""What the targets share that ship a model's own files in one format: the archive, its read-me, the check."""
