"""How well the answers fit the truth: as for every classification."""

from engine.tasks.classification.metrics import metrics, recommended_thresholds, split_report

__all__ = ["metrics", "recommended_thresholds", "split_report"]
