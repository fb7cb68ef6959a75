"""A whole project as one file, out and in."""
