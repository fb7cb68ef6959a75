"""Puts the working state back to a version, and on another branch."""
