"""Quick starts of this task beside its usual examples; each is named in ``spec.py``."""
