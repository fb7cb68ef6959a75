"""Training on rows of a table: one fit to a deadline, the graph, what its columns do, and judging."""
