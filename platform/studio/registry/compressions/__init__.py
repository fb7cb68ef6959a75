"""Models made smaller without training: started, measured by the engine, and kept as models of their own."""
