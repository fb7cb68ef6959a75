"""Small sets drawn from larger ones, one module a kind of task, found by listing; ``_small_set.py`` says what each has."""
