"""What several task types share; a folder here is no task."""
