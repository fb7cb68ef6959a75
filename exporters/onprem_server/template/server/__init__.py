"""The server of this bundle."""
