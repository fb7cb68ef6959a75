"""How a model's answers hold when items are made worse on purpose: the job ``robustness``."""
