"""Makes models smaller: what a large one knows, in one that answers at once."""
