"""Models made smaller: started, measured by the engine, and kept as models of their own."""
