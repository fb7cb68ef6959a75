"""Makes models smaller and faster: smaller graphs of the same model, or a small model that learns from a large one."""
