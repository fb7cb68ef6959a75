"""What tests of several packages share: services, platforms, processes, data."""
