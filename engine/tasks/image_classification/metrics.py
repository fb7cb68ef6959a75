"""How well the answers fit the truth: as for every classification."""

from engine.tasks.shared.classification.metrics import metrics, outcomes, split_report
from engine.tasks.shared.classification.thresholds import recommended_thresholds

__all__ = ["metrics", "outcomes", "recommended_thresholds", "split_report"]
