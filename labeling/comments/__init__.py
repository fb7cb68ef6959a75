"""Comments of people on items while they label."""
