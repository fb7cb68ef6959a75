"""What was cut off a graph behind: a module for each kind of answers that needs it."""
