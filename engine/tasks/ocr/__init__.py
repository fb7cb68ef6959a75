"""Reading text in pictures."""
