"""What can be wrong with a retrain rule."""

from __future__ import annotations

from studio.common.errors import InvalidInputError


class RetrainRuleInvalidError(InvalidInputError):
    """The rule cannot be kept like this."""

    code = "retrain_rule_invalid"
    title = "The retrain rule cannot be set like this"
    param_names = ("reason",)
